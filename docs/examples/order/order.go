package order

import "slices"

// Payments have far fewer messages. A repeat of an older one is called stale.
const remembered = 100

// State is that of a payment; its zero value: nothing has come yet.
type State struct {
	Position int      `json:"position"`
	ID       string   `json:"id"`
	Recent   []string `json:"recent"`
}

// Webhook is the parsed body of a genuine webhook. Members that are absent or null stay zero.
type Webhook struct {
	ID       string `json:"webhook_message_id"`
	Sequence int    `json:"sequence"`
	Position int    `json:"position"`
	Previous string `json:"previous_message_id"`
}

// Check gives a verdict and the payment's next state. state is what the last check of this payment gave.
func Check(state State, webhook Webhook) (string, State) {
	if webhook.Sequence == 0 {
		return "unnumbered", state
	}
	if slices.Contains(state.Recent, webhook.ID) {
		return "repeat", state
	}
	recent := append([]string{webhook.ID}, state.Recent[:min(len(state.Recent), remembered-1)]...)
	if webhook.Position <= state.Position {
		return "stale", State{state.Position, state.ID, recent}
	}
	next := State{webhook.Position, webhook.ID, recent}
	if webhook.Position == state.Position+1 && webhook.Previous == state.ID {
		return "in_order", next
	}
	return "gap", next
}
