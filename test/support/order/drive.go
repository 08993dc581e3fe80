// Asks the example about stdin's webhooks, one JSON line each, and prints a verdict for each.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"drive/order"
)

func main() {
	states := map[string]order.State{}
	lines := json.NewDecoder(bufio.NewReader(os.Stdin))
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for {
		var received struct {
			Of      string
			Webhook order.Webhook
		}
		err := lines.Decode(&received)
		if err == io.EOF {
			return
		}
		if err != nil {
			panic(err)
		}
		var verdict string
		verdict, states[received.Of] = order.Check(states[received.Of], received.Webhook)
		fmt.Fprintln(out, verdict)
	}
}
