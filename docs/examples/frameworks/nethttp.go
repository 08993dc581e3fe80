// A receiver with net/http:  SECRET=whsec_... go run nethttp.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Stands for a table of yours with webhook-id as its key, which outlives the process.
var inbox sync.Map

// isGenuine says whether we signed the body for this attempt, at most five minutes ago.
func isGenuine(body []byte, headers http.Header, secret string) bool {
	seconds, err := strconv.ParseInt(headers.Get("webhook-timestamp"), 10, 64)
	if age := time.Since(time.Unix(seconds, 0)); err != nil || age.Abs() > 5*time.Minute {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || len(key) < 24 { // with a secret that is not set, anybody could sign
		return false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", headers.Get("webhook-id"), headers.Get("webhook-timestamp"), body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, given := range strings.Fields(headers.Get("webhook-signature")) {
		if hmac.Equal([]byte(given), []byte(expected)) {
			return true
		}
	}
	return false
}

func receive(response http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, 1<<20))
	if err != nil || !isGenuine(body, request.Header, os.Getenv("SECRET")) {
		response.WriteHeader(http.StatusUnauthorized)
		return
	}
	var event struct {
		EventType  string `json:"event_type"`
		ResourceID string `json:"resource_id"`
	}
	if json.Unmarshal(body, &event) != nil {
		response.WriteHeader(http.StatusBadRequest)
		return
	}
	if _, isRepeat := inbox.LoadOrStore(request.Header.Get("webhook-id"), body); !isRepeat {
		fmt.Println("kept", event.EventType, event.ResourceID)
	}
	response.WriteHeader(http.StatusNoContent)
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:"+os.Getenv("PORT"))
	if err != nil {
		panic(err)
	}
	fmt.Println("listening on port", listener.Addr().(*net.TCPAddr).Port)
	http.HandleFunc("POST /{$}", receive)
	panic(http.Serve(listener, nil))
}
