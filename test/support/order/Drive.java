import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Asks the example about stdin's webhooks, one JSON line each, and prints a verdict for each. */
class Drive {
  public static void main(String[] args) throws Exception {
    Map<String, Order.State> states = new HashMap<>();
    StringBuilder verdicts = new StringBuilder();
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      Order.Webhook webhook = new Order.Webhook(
          text("webhook_message_id", line), number("sequence", line), number("position", line),
          text("previous_message_id", line));
      String of = text("of", line);
      Order.Checked checked = Order.check(states.getOrDefault(of, Order.NOTHING), webhook);
      states.put(of, checked.state());
      verdicts.append(checked.verdict()).append('\n');
    }
    new PrintStream(System.out, false, UTF_8).append(verdicts).flush();
  }

  static final Map<String, Pattern> MEMBERS = new HashMap<>();

  /** Java has no JSON of its own, and the values of these lines hold no quotes. */
  static String text(String member, String line) {
    Pattern pattern = MEMBERS.computeIfAbsent(member, name -> Pattern.compile("\"" + name + "\":\"?([^\",}]+)"));
    Matcher found = pattern.matcher(line);
    return !found.find() || found.group(1).equals("null") ? null : found.group(1);
  }

  static Integer number(String member, String line) {
    String found = text(member, line);
    return found == null ? null : Integer.valueOf(found);
  }
}
