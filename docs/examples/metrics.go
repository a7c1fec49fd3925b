// Stores a metric every second, also while the server restarts. Go 1.19, standard library.
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

// call repeats a request until the server answers it, and returns an error if it is refused.
func call(method, path string, body, result any) error {
	content, err := json.Marshal(body)
	if err != nil {
		return err
	}
	// The same for every attempt, so the server stores the metric once.
	random := make([]byte, 16)
	if _, err := rand.Read(random); err != nil {
		return err
	}
	for ; ; time.Sleep(time.Second) {
		var sent io.Reader
		if body != nil {
			sent = bytes.NewReader(content)
		}
		request, err := http.NewRequest(method, baseURL()+path, sent)
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
			return json.Unmarshal(answer, result)
		}
		if response.StatusCode < 500 && response.StatusCode != http.StatusTooManyRequests {
			var failure struct{ Error string }
			json.Unmarshal(answer, &failure)
			return errors.New(failure.Error)
		}
		log.Print("Trying again: ", response.Status)
		seconds, _ := strconv.Atoi(response.Header.Get("Retry-After"))
		time.Sleep(time.Duration(seconds) * time.Second)
	}
}

func run() error {
	var account struct {
		DisplayName string `json:"display_name"`
	}
	if err := call("GET", "/account/get-display-name", nil, &account); err != nil {
		return err
	}
	fmt.Printf("This account is called %q.\n", account.DisplayName)
	var list struct{ Projects []struct{ ID string } }
	if err := call("GET", "/stats/get-projects", nil, &list); err != nil {
		return err
	}
	for number := 0; ; number++ {
		payload := map[string]any{"number": number, "goroutines": runtime.NumGoroutine()}
		metric := map[string]any{"projectId": list.Projects[0].ID, "payload": payload}
		var stored struct{ Message string }
		if err := call("POST", "/stats/ingest-metrics", metric, &stored); err != nil {
			return err
		}
		time.Sleep(time.Second)
	}
}

func main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}
