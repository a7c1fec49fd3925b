// Receives webhooks: WEBHOOK_SECRET=whsec_… go run webhook.go. Go 1.19, standard library.
// WEBHOOK_PORT is the port, 4000 unless set.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

const tolerance = 300 * time.Second
const maxBodyBytes = 65_536

// isAuthentic checks the signature and the time of a request. The body is still as it was received.
func isAuthentic(secret []byte, header http.Header, body []byte) bool {
	sentAt := header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(sentAt, 10, 64)
	age := time.Since(time.Unix(seconds, 0))
	if err != nil || age > tolerance || age < -tolerance {
		return false
	}
	mac := hmac.New(sha256.New, secret)
	fmt.Fprintf(mac, "%s.%s.%s", header.Get("webhook-id"), sentAt, body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	// There are two after a new secret was created.
	for _, signature := range strings.Split(header.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(expected), []byte(signature)) {
			return true
		}
	}
	return false
}

func main() {
	secret, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("WEBHOOK_SECRET"), "whsec_"))
	if err != nil || len(secret) == 0 {
		log.Fatal("WEBHOOK_SECRET is not set.")
	}
	http.HandleFunc("/", func(writer http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(writer, request.Body, maxBodyBytes))
		if err != nil || !isAuthentic(secret, request.Header, body) {
			http.Error(writer, "The signature or the time is wrong.", http.StatusBadRequest)
			return
		}
		var event struct {
			Type string
			Data map[string]any
		}
		if err := json.Unmarshal(body, &event); err != nil {
			http.Error(writer, err.Error(), http.StatusBadRequest)
			return
		}
		// An event can arrive twice: store the id, and skip one that you know.
		fmt.Println(request.Header.Get("webhook-id"), event.Type, event.Data)
		writer.WriteHeader(http.StatusNoContent)
	})
	port := os.Getenv("WEBHOOK_PORT")
	if port == "" {
		port = "4000"
	}
	fmt.Println("Waiting for webhooks at http://127.0.0.1:" + port)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+port, nil))
}
