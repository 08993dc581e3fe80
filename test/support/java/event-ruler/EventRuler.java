import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import software.amazon.event.ruler.Machine;

/** Amazon's matcher: for each line with a pattern and an event it says `true`, `false`, or why it takes no such pattern. */
class EventRuler {
    public static void main(String[] arguments) throws Exception {
        var json = new ObjectMapper();
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
            var pair = json.readTree(line);
            System.out.println(answer(pair.get(0).asText(), pair.get(1).asText()));
        }
    }

    private static String answer(String pattern, String event) {
        try {
            var machine = new Machine();
            machine.addRule("rule", pattern);
            return String.valueOf(!machine.rulesForJSONEvent(event).isEmpty());
        } catch (Exception error) {
            return error.getMessage().lines().findFirst().orElse("refused");
        }
    }
}
