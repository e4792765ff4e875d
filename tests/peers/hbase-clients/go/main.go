// What a user of gohbase tries first; the argument is ZooKeeper.
package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/tsuna/gohbase"
	"github.com/tsuna/gohbase/filter"
	"github.com/tsuna/gohbase/hrpc"
)

const table = "clients_gohbase"

type cells = map[string]map[string][]byte

type steps struct {
	ctx    context.Context
	client gohbase.Client
	admin  gohbase.AdminClient
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	s := steps{ctx, gohbase.NewClient(os.Args[1]), gohbase.NewAdminClient(os.Args[1])}
	defer s.client.Close()
	// There may be no such table.
	_ = s.admin.DisableTable(hrpc.NewDisableTable(ctx, []byte(table)))
	_ = s.admin.DeleteTable(hrpc.NewDeleteTable(ctx, []byte(table)))
	step("create a table of three regions", s.create)
	step("list tables", s.list)
	step("status of the cluster", s.status)
	step("put, get", s.putAndGet)
	step("several families and versions", s.versions)
	step("scan all, a prefix, a range, with a limit, backwards", s.scans)
	step("scan with filters", s.filters)
	step("increment, append", s.counters)
	step("check and put", s.checks)
	step("a batch", s.batch)
	step("delete", s.deletes)
	step("a family that does not exist", s.noFamily)
	step("drop", s.drop)
	step("a table that does not exist", s.noTable)
}

func step(name string, run func() error) {
	if err := run(); err != nil {
		fmt.Printf("FAIL  gohbase: %s: %s\n", name, strings.ReplaceAll(err.Error(), "\n", " | "))
	} else {
		fmt.Printf("ok    gohbase: %s\n", name)
	}
}

func equal[T comparable](what string, expected, got T) error {
	if expected != got {
		return fmt.Errorf("%s: expected %v; got %v", what, expected, got)
	}
	return nil
}

func (s steps) create() error {
	families := map[string]map[string]string{"f": {"VERSIONS": "3"}, "g": {}}
	return s.admin.CreateTable(hrpc.NewCreateTable(s.ctx, []byte(table), families, hrpc.SplitKeys([][]byte{[]byte("h"), []byte("p")})))
}

func (s steps) list() error {
	call, err := hrpc.NewListTableNames(s.ctx, hrpc.ListRegex(table))
	if err != nil {
		return err
	}
	names, err := s.admin.ListTableNames(call)
	if err != nil {
		return err
	}
	var found []string
	for _, name := range names {
		found = append(found, string(name.Qualifier))
	}
	return equal("names", table, strings.Join(found, " "))
}

func (s steps) status() error {
	status, err := s.admin.ClusterStatus()
	if err != nil {
		return err
	}
	return equal("some live servers", true, len(status.GetLiveServers()) > 0)
}

func (s steps) put(row string, values cells) error {
	put, err := hrpc.NewPutStr(s.ctx, table, row, values)
	if err != nil {
		return err
	}
	_, err = s.client.Put(put)
	return err
}

func (s steps) get(row string, options ...func(hrpc.Call) error) (string, error) {
	get, err := hrpc.NewGetStr(s.ctx, table, row, options...)
	if err != nil {
		return "", err
	}
	found, err := s.client.Get(get)
	if err != nil {
		return "", err
	}
	return values(found), nil
}

func values(found *hrpc.Result) string {
	var texts []string
	for _, cell := range found.Cells {
		texts = append(texts, string(cell.Value))
	}
	return strings.Join(texts, " ")
}

func (s steps) expect(row, expected string, options ...func(hrpc.Call) error) error {
	found, err := s.get(row, options...)
	return errors.Join(err, equal("values of "+row, expected, found))
}

func one(value string) cells {
	return cells{"f": {"q": []byte(value)}}
}

func (s steps) putAndGet() error {
	return errors.Join(s.put("user1", one("v1")), s.expect("user1", "v1"), s.expect("nobody", ""))
}

func (s steps) versions() error {
	if err := s.put("wide", cells{"f": {"a": []byte("1"), "b": []byte("2")}, "g": {"c": []byte("3")}}); err != nil {
		return err
	}
	for i := 1; i <= 4; i++ {
		put, err := hrpc.NewPutStr(s.ctx, table, "versions", one(fmt.Sprint("v", i)), hrpc.TimestampUint64(uint64(i)))
		if err != nil {
			return err
		}
		if _, err = s.client.Put(put); err != nil {
			return err
		}
	}
	return errors.Join(
		s.expect("wide", "1 2 3"),
		s.expect("wide", "1 3", hrpc.Families(map[string][]string{"f": {"a"}, "g": nil})),
		s.expect("versions", "v4 v3 v2", hrpc.MaxVersions(9)),
	)
}

func (s steps) scan(from, to string, options ...func(hrpc.Call) error) (string, error) {
	scan, err := hrpc.NewScanRangeStr(s.ctx, table, from, to, options...)
	if err != nil {
		return "", err
	}
	scanner := s.client.Scan(scan)
	var rows []string
	for {
		row, err := scanner.Next()
		if errors.Is(err, io.EOF) {
			return strings.Join(rows, " "), nil
		}
		if err != nil {
			return "", err
		}
		rows = append(rows, string(row.Cells[0].Row))
	}
}

func (s steps) rows(expected, from, to string, options ...func(hrpc.Call) error) error {
	found, err := s.scan(from, to, options...)
	return errors.Join(err, equal("rows", expected, found))
}

func (s steps) scans() error {
	for _, row := range []string{"apple", "user2", "user3", "user10"} {
		if err := s.put(row, one("of "+row)); err != nil {
			return err
		}
	}
	return errors.Join(
		s.rows("apple user1 user10 user2 user3 versions wide", "", ""),
		s.rows("user1 user10 user2 user3", "user", "uses"),
		s.rows("user1 user10", "", "", hrpc.Filters(filter.NewPrefixFilter([]byte("user1")))),
		s.rows("user3 user2", "user3", "user10", hrpc.Reversed()),
		s.rows("apple user1 user10 user2 user3 versions wide", "", "", hrpc.NumberOfRows(2)),
	)
}

func (s steps) filters() error {
	of := filter.NewSingleColumnValueFilter([]byte("f"), []byte("q"), filter.Equal,
		filter.NewBinaryComparator(filter.NewByteArrayComparable([]byte("of user2"))), true, true)
	return errors.Join(
		s.rows("user2", "", "", hrpc.Filters(of)),
		s.rows("wide", "", "", hrpc.Families(map[string][]string{"g": nil})),
	)
}

func (s steps) counters() error {
	for i, expected := range []int64{5, 3} {
		increment, err := hrpc.NewIncStrSingle(s.ctx, table, "counter", "f", "q", []int64{5, -2}[i])
		if err != nil {
			return err
		}
		sum, err := s.client.Increment(increment)
		if err = errors.Join(err, equal("sum", expected, sum)); err != nil {
			return err
		}
	}
	stored, err := s.get("counter")
	if err != nil || len(stored) != 8 {
		return fmt.Errorf("the counter has %d bytes: %w", len(stored), err)
	}
	if err = equal("stored", 3, binary.BigEndian.Uint64([]byte(stored))); err != nil {
		return err
	}
	for _, expected := range []string{"a", "aa"} {
		more, err := hrpc.NewAppStr(s.ctx, table, "appended", one("a"))
		if err != nil {
			return err
		}
		found, err := s.client.Append(more)
		if err != nil {
			return err
		}
		if err = equal("appended", expected, values(found)); err != nil {
			return err
		}
	}
	return nil
}

func (s steps) checks() error {
	check := func(expected string, value string, outcome bool) error {
		put, err := hrpc.NewPutStr(s.ctx, table, "checked", one(value))
		if err != nil {
			return err
		}
		done, err := s.client.CheckAndPut(put, "f", "q", []byte(expected))
		return errors.Join(err, equal("put "+value, outcome, done))
	}
	return errors.Join(
		check("", "1", true), check("", "2", false), check("1", "3", true), check("1", "4", false), s.expect("checked", "3"),
	)
}

func (s steps) batch() error {
	put, err := hrpc.NewPutStr(s.ctx, table, "batch1", one("b"))
	if err != nil {
		return err
	}
	get, err := hrpc.NewGetStr(s.ctx, table, "apple")
	if err != nil {
		return err
	}
	del, err := hrpc.NewDelStr(s.ctx, table, "user10", nil)
	if err != nil {
		return err
	}
	results, ok := s.client.SendBatch(s.ctx, []hrpc.Call{put, get, del})
	for _, result := range results {
		err = errors.Join(err, result.Error)
	}
	return errors.Join(err, equal("all done", true, ok), s.expect("batch1", "b"), s.expect("user10", ""))
}

func (s steps) deletes() error {
	for row, columns := range map[string]cells{"wide": {"f": {"a": nil}}, "user1": nil} {
		del, err := hrpc.NewDelStr(s.ctx, table, row, columns)
		if err != nil {
			return err
		}
		if _, err = s.client.Delete(del); err != nil {
			return err
		}
	}
	return errors.Join(s.expect("wide", "2 3"), s.expect("user1", ""))
}

func refused(err error, text string) error {
	if err == nil || !strings.Contains(err.Error(), text) {
		return fmt.Errorf("expected an error with %s; got %v", text, err)
	}
	return nil
}

func (s steps) noFamily() error {
	return refused(s.put("a", cells{"none": {"q": nil}}), "NoSuchColumnFamilyException")
}

func (s steps) drop() error {
	if err := s.admin.DisableTable(hrpc.NewDisableTable(s.ctx, []byte(table))); err != nil {
		return err
	}
	return s.admin.DeleteTable(hrpc.NewDeleteTable(s.ctx, []byte(table)))
}

// A client that has not read the regions of the table before it was dropped.
func (s steps) noTable() error {
	client := gohbase.NewClient(os.Args[1])
	defer client.Close()
	get, err := hrpc.NewGetStr(s.ctx, table, "a")
	if err != nil {
		return err
	}
	_, err = client.Get(get)
	if !errors.Is(err, gohbase.TableNotFound) {
		return fmt.Errorf("expected TableNotFound; got %v", err)
	}
	return nil
}
