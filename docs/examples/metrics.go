// Stores a metric every second, also while the server restarts. Go 1.19, standard library.
// NAMEPLATE_API_KEY=np_… PROJECT=… go run metrics.go. A key with the scope metrics is enough.
// NAMEPLATE_BASE_URL is the address of the server, http://127.0.0.1:3000 unless set.
package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"time"
)

const maxWaitSeconds = 120

var client = http.Client{Timeout: 30 * time.Second}

func baseURL() string {
	if url := os.Getenv("NAMEPLATE_BASE_URL"); url != "" {
		return url
	}
	return "http://127.0.0.1:3000"
}

// store repeats a request while that can help. It returns an error if the request is refused, or
// has to wait too long.
func store(payload any) error {
	metric := map[string]any{"projectId": os.Getenv("PROJECT"), "payload": payload}
	body, err := json.Marshal(metric)
	if err != nil {
		return err
	}
	// The same for every attempt, so the server stores the metric once.
	random := make([]byte, 16)
	if _, err := rand.Read(random); err != nil {
		return err
	}
	waited := 0
	for backoff := 1; ; backoff *= 2 {
		isTemporary, seconds, err := send(body, fmt.Sprintf("%x", random))
		if err == nil || !isTemporary {
			return err
		}
		if seconds == 0 {
			seconds = backoff
		}
		waited += seconds
		if waited > maxWaitSeconds {
			return fmt.Errorf("%w. Gave up: waiting %d s is too long", err, waited)
		}
		log.Printf("Trying again in %d s: %v", seconds, err)
		time.Sleep(time.Duration(seconds) * time.Second)
	}
}

// send makes one attempt. If it fails, it returns whether another one can help, and the Retry-After.
func send(body []byte, idempotencyKey string) (isTemporary bool, seconds int, err error) {
	request, err := http.NewRequest("POST", baseURL()+"/stats/ingest-metrics", bytes.NewReader(body))
	if err != nil {
		return false, 0, err
	}
	request.Header.Set("X-API-KEY", os.Getenv("NAMEPLATE_API_KEY"))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", idempotencyKey)
	response, err := client.Do(request)
	if err != nil {
		return true, 0, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode == http.StatusOK {
		return true, 0, err
	}
	header := response.Header
	// Hours, if the account has reached its daily limit. 0 if a proxy sends a date instead.
	retryAfter := header.Get("Retry-After")
	seconds, _ = strconv.Atoi(retryAfter)
	status := response.StatusCode
	isTemporary = status >= 500 || status == http.StatusRequestTimeout ||
		status == http.StatusTooManyRequests || retryAfter != ""
	return isTemporary, seconds, fmt.Errorf("%d %s: %s, request %s", status,
		header.Get("X-Error-Code"), answer, header.Get("X-Request-Id"))
}

func main() {
	for _, name := range []string{"NAMEPLATE_API_KEY", "PROJECT"} {
		if os.Getenv(name) == "" {
			log.Fatal(name, " is not set.")
		}
	}
	for number := 0; ; number++ {
		payload := map[string]any{"number": number, "goroutines": runtime.NumGoroutine()}
		if err := store(payload); err != nil {
			log.Fatal(err)
		}
		fmt.Println("Stored", payload)
		time.Sleep(time.Second)
	}
}
