// pgx asks the archive. usage: go run . PORT
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

func check(name string, found, wanted any) {
	if fmt.Sprint(found) != fmt.Sprint(wanted) {
		fmt.Printf("%s: %v, and %v was expected\n", name, found, wanted)
		os.Exit(1)
	}
	fmt.Println("  " + name)
}

func must(err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func code(err error) string {
	var told *pgconn.PgError
	if errors.As(err, &told) {
		return told.Code
	}
	return fmt.Sprint(err)
}

func main() {
	all := context.Background()
	place := fmt.Sprintf("postgres://demo@127.0.0.1:%s/catwalk?sslmode=disable", os.Args[1])
	connection, err := pgx.Connect(all, place)
	must(err)
	var number int64
	var text string
	must(connection.QueryRow(all, "SELECT $1::bigint + 1, $2::text", 41, "it's").Scan(&number, &text))
	check("values are bound", fmt.Sprint(number, " ", text), "42 it's")
	var day, moment time.Time
	var cents int64
	var codes []string
	must(connection.QueryRow(all, "SELECT gaming_day, opened_at, staked_cents, violations FROM rounds LIMIT 1").Scan(&day, &moment, &cents, &codes))
	check("days, moments, cents and lists", day.Year() > 2000 && moment.After(day.AddDate(0, 0, -1)) && cents >= 0, true)
	rows, err := connection.Query(all, "SELECT seq FROM events ORDER BY table_id, seq LIMIT 1000")
	must(err)
	count := 0
	for rows.Next() {
		count++
	}
	must(rows.Err())
	check("rows", count, 1000)
	batch := &pgx.Batch{}
	for at := 0; at < 10; at++ {
		batch.Queue("SELECT $1::bigint", at)
	}
	answers, sum := connection.SendBatch(all, batch), int64(0)
	for at := 0; at < 10; at++ {
		must(answers.QueryRow().Scan(&number))
		sum += number
	}
	must(answers.Close())
	check("a batch of questions", sum, 45)
	short, cancel := context.WithTimeout(all, time.Second)
	_, err = connection.Exec(short, "SELECT count(*) FROM events a, events b, events c WHERE a.seq + b.seq + c.seq = -1")
	cancel()
	check("a deadline breaks off", err != nil, true)
	again, err := pgx.Connect(all, place)
	must(err)
	_, err = again.Exec(all, "DELETE FROM rounds")
	check("nothing is deleted", code(err), "25006")
	simple, err := pgx.Connect(all, place+"&default_query_exec_mode=simple_protocol")
	must(err)
	must(simple.QueryRow(all, "SELECT $1::bigint + 1", 41).Scan(&number))
	check("the simple protocol", number, 42)
}
