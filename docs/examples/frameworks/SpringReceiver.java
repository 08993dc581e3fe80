import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A receiver with Spring Boot. Copy Verify.java, too. */
@RestController
@EnableAutoConfiguration
class SpringReceiver {
  private static final String SECRET = System.getenv("SECRET");

  // Stands for a table of yours with webhook-id as its key, which outlives the process.
  private final Map<String, JsonNode> inbox = new ConcurrentHashMap<>();
  private final JsonMapper json;

  SpringReceiver(JsonMapper json) {
    this.json = json;
  }

  // Not a class of yours as @RequestBody: what is signed are the bytes.
  @PostMapping("/")
  ResponseEntity<Void> receive(@RequestBody byte[] body, @RequestHeader HttpHeaders headers)
      throws GeneralSecurityException {
    if (!Verify.isGenuine(body, headers::getFirst, SECRET, Instant.now())) {
      return ResponseEntity.status(401).build();
    }
    JsonNode event = json.readTree(body);
    if (inbox.putIfAbsent(headers.getFirst("webhook-id"), event) == null) {
      System.out.println("kept " + event.path("event_type").asString() + " " + event.path("resource_id").asString());
    }
    return ResponseEntity.noContent().build();
  }

  public static void main(String[] arguments) {
    var application = new SpringApplication(SpringReceiver.class);
    application.setDefaultProperties(
        Map.of("server.address", "127.0.0.1", "server.port", "${PORT:8080}", "spring.main.banner-mode", "off"));
    var environment = application.run(arguments).getEnvironment();
    System.out.println("listening on port " + environment.getProperty("local.server.port"));
  }
}
