import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;

/** Asks the example on stdin's webhooks, one a line of tab-separated base64 (header absent: -), and answers true or false for each. */
class Drive {
  public static void main(String[] args) throws Exception {
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] fields = line.split("\t");
      Map<String, Integer> place = Map.of("webhook-id", 1, "webhook-timestamp", 2, "webhook-signature", 3);
      Instant now = fields[5].equals("-") ? Instant.now() : Instant.ofEpochSecond(Long.parseLong(text(fields[5])));
      byte[] body = Base64.getDecoder().decode(fields[0]);
      System.out.println(Verify.isGenuine(body, name -> text(fields[place.get(name)]), text(fields[4]), now));
    }
  }

  static String text(String field) {
    return field.equals("-") ? null : new String(Base64.getDecoder().decode(field), UTF_8);
  }
}
