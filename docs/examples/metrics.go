// Stores a metric every second, also while the server restarts. Go 1.19, standard library.
// NAMEPLATE_API_KEY=np_… PROJECT=… go run metrics.go. A key with the scope metrics is enough.
package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"time"
)

var client = http.Client{Timeout: 30 * time.Second}

func baseURL() string {
	if url := os.Getenv("NAMEPLATE_BASE_URL"); url != "" {
		return url
	}
	return "http://127.0.0.1:3000"
}

// store repeats a request while that can help. It returns an error if the request is refused, or
// fails for half a minute.
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
	failures := 0
	for ; ; time.Sleep(time.Second) {
		url := baseURL() + "/stats/ingest-metrics"
		request, err := http.NewRequest("POST", url, bytes.NewReader(body))
		if err != nil {
			return err
		}
		request.Header.Set("X-API-KEY", os.Getenv("NAMEPLATE_API_KEY"))
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Idempotency-Key", fmt.Sprintf("%x", random))
		response, err := client.Do(request)
		if err != nil {
			log.Print("Trying again: ", err)
			continue
		}
		answer, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil {
			continue // The server stopped before the end of its answer.
		}
		if response.StatusCode == http.StatusOK {
			return nil
		}
		header := response.Header
		seconds, err := strconv.Atoi(header.Get("Retry-After"))
		if err != nil && response.StatusCode == http.StatusInternalServerError {
			failures++
			seconds = 1 << failures
		}
		reason := fmt.Sprint(response.StatusCode, " ", header.Get("X-Error-Code"), ": ", string(answer))
		isTemporary := response.StatusCode >= 500 || response.StatusCode == http.StatusTooManyRequests
		if !isTemporary || failures == 5 {
			return errors.New(reason + ", request " + header.Get("X-Request-Id"))
		}
		log.Print("Trying again: ", reason)
		time.Sleep(time.Duration(seconds) * time.Second)
	}
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
