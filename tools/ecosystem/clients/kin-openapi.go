// Validates documents with kin-openapi of Debian, and two calls of the first one.
package main

import (
	"bytes"
	"context"
	"log"
	"net/http"
	"os"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers/legacy"
)

const change = `{"bio":"Go","mood":null,"blocks":[{"type":"text","content":"Hello!"}]}`

func main() {
	url, key := os.Args[1], os.Args[2]
	var documents []*openapi3.T
	for _, file := range os.Args[3:] {
		document, err := openapi3.NewLoader().LoadFromFile(file)
		check(err)
		document.Servers = openapi3.Servers{{URL: url}}
		check(document.Validate(context.Background()))
		documents = append(documents, document)
	}
	send(documents[0], key, "POST", url+"/site/update-site-configuration", change)
	send(documents[0], key, "GET", url+"/site/get-site-configuration", "")
}

func send(document *openapi3.T, key, method, url, body string) {
	request, err := http.NewRequest(method, url, bytes.NewBufferString(body))
	check(err)
	request.Header.Set("X-API-KEY", key)
	request.Header.Set("Content-Type", "application/json")
	router, err := legacy.NewRouter(document)
	check(err)
	route, parameters, err := router.FindRoute(request)
	check(err)
	options := &openapi3filter.Options{
		AuthenticationFunc:    openapi3filter.NoopAuthenticationFunc,
		IncludeResponseStatus: true,
	}
	input := &openapi3filter.RequestValidationInput{
		Request: request, PathParams: parameters, Route: route, Options: options,
	}
	check(openapi3filter.ValidateRequest(context.Background(), input))
	response, err := http.DefaultClient.Do(request)
	check(err)
	defer response.Body.Close()
	check(openapi3filter.ValidateResponse(context.Background(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input, Status: response.StatusCode, Header: response.Header,
		Body: response.Body, Options: options,
	}))
	if response.StatusCode != http.StatusOK {
		log.Fatal(method, " ", url, ": ", response.Status)
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
