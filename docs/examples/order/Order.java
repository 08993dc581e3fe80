import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

class Order {
  /** Payments have far fewer messages. A repeat of an older one is called stale. */
  static final int REMEMBERED = 100;

  /** The state of a payment of which nothing has come yet. */
  static final State NOTHING = new State(0, null, List.of());

  record State(int position, String id, List<String> recent) {}

  /** Of the parsed body of a genuine webhook; null: the member is absent. */
  record Webhook(String webhook_message_id, Integer sequence, Integer position, String previous_message_id) {}

  record Checked(String verdict, State state) {}

  /** state: what the last check of this payment gave, or NOTHING */
  static Checked check(State state, Webhook webhook) {
    String id = webhook.webhook_message_id();
    if (webhook.sequence() == null) return new Checked("unnumbered", state);
    if (state.recent().contains(id)) return new Checked("repeat", state);
    List<String> recent = Stream.concat(Stream.of(id), state.recent().stream()).limit(REMEMBERED).toList();
    if (webhook.position() == null || webhook.position() <= state.position()) {
      return new Checked("stale", new State(state.position(), state.id(), recent));
    }
    boolean isNext = webhook.position() == state.position() + 1
        && Objects.equals(webhook.previous_message_id(), state.id());
    return new Checked(isNext ? "in_order" : "gap", new State(webhook.position(), id, recent));
  }
}
