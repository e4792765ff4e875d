// The stages of `load` through Google's client for Bigtable. The server is that of BIGTABLE_EMULATOR_HOST.
package main

import (
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"math/rand"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"cloud.google.com/go/bigtable"
)

const (
	batchSize = 100
	tableName = "bench_go"
)

type load struct {
	table       *bigtable.Table
	ctx         context.Context
	count       int
	concurrency int
	value       []byte
}

func main() {
	count := flag.Int("n", 100000, "operations of the large stages")
	concurrency := flag.Int("conc", 64, "concurrent operations")
	size := flag.Int("value", 100, "bytes of a value")
	stages := flag.String("ops", "warm,put,get,get1,inc,batchput,batchget,scan", "stages")
	flag.Parse()

	value := make([]byte, *size)
	rand.New(rand.NewSource(1)).Read(value)
	ctx := context.Background()
	create(ctx)
	// Without its metrics, which it would send to Google.
	quiet := bigtable.ClientConfig{MetricsProvider: bigtable.NoopMetricsProvider{}}
	client, err := bigtable.NewClientWithConfig(ctx, "project", "instance", quiet)
	must(err)
	defer client.Close()
	l := load{client.Open(tableName), ctx, *count, *concurrency, value}
	for _, stage := range strings.Split(*stages, ",") {
		l.run(stage)
	}
	fmt.Printf("client=google-go op=rss peak_mb=%d\n", usage().Maxrss/1024)
}

func create(ctx context.Context) {
	admin, err := bigtable.NewAdminClient(ctx, "project", "instance")
	must(err)
	defer admin.Close()
	// There may be no such table.
	_ = admin.DeleteTable(ctx, tableName)
	must(admin.CreateTableFromConf(ctx, &bigtable.TableConf{
		TableID:   tableName,
		Families:  map[string]bigtable.GCPolicy{"f": bigtable.MaxVersionsPolicy(1)},
		SplitKeys: []string{"\x40", "\x80", "\xc0"},
	}))
}

func (l *load) run(name string) {
	put := func(i int) error { return l.table.Apply(l.ctx, key(i), l.put()) }
	get := func(i int) error {
		_, err := l.table.ReadRow(l.ctx, key(i*7919%l.count))
		return err
	}
	switch name {
	case "warm":
		l.stage("warm", l.count/4, l.concurrency, put)
		l.stage("warmget", l.count/4, l.concurrency, get)
	case "put":
		l.stage(name, l.count, l.concurrency, put)
	case "get":
		l.stage(name, l.count, l.concurrency, get)
	case "get1":
		l.stage(name, l.count/10, 1, get)
	case "inc":
		l.stage(name, l.count/2, l.concurrency, func(i int) error {
			increment := bigtable.NewReadModifyWrite()
			increment.Increment("f", "c", 1)
			_, err := l.table.ApplyReadModifyWrite(l.ctx, key(i%1000), increment)
			return err
		})
	case "batchput":
		l.stage(name, l.count/batchSize, 8, l.puts)
	case "batchget":
		l.stage(name, l.count/batchSize, 8, l.gets)
	case "scan":
		for range 3 {
			l.scan()
		}
	default:
		fmt.Fprintf(os.Stderr, "there is no stage %q\n", name)
		os.Exit(2)
	}
}

// As the other clients' puts, with a time, so that it may be sent again.
func (l *load) put() *bigtable.Mutation {
	put := bigtable.NewMutation()
	put.Set("f", "q", bigtable.Now(), l.value)
	return put
}

func (l *load) puts(i int) error {
	keys, puts := make([]string, batchSize), make([]*bigtable.Mutation, batchSize)
	for j := range keys {
		keys[j], puts[j] = key(i*batchSize+j), l.put()
	}
	failed, err := l.table.ApplyBulk(l.ctx, keys, puts)
	return errors.Join(append(failed, err)...)
}

func (l *load) gets(i int) error {
	keys, found := make(bigtable.RowList, batchSize), 0
	for j := range keys {
		keys[j] = key((i*batchSize + j) * 7919 % l.count)
	}
	err := l.table.ReadRows(l.ctx, keys, func(bigtable.Row) bool { found++; return true })
	if err == nil && found != batchSize {
		err = fmt.Errorf("%d rows of %d", found, batchSize)
	}
	return err
}

func (l *load) scan() {
	cpu, start, rows, wrong := cpuTime(), time.Now(), 0, int64(0)
	column := bigtable.ChainFilters(bigtable.FamilyFilter("f"), bigtable.ColumnFilter("q"))
	must(l.table.ReadRows(l.ctx, bigtable.InfiniteRange(""), func(row bigtable.Row) bool {
		rows++
		if len(row["f"][0].Value) != len(l.value) {
			wrong++
		}
		return true
	}, bigtable.RowFilter(column)))
	report("scan", rows, time.Since(start), cpuTime()-cpu, nil, wrong)
}

func (l *load) stage(name string, count, concurrency int, operation func(i int) error) {
	took := make([]time.Duration, count)
	var next, failed atomic.Int64
	var workers sync.WaitGroup
	cpu, start := cpuTime(), time.Now()
	for range concurrency {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < count; i = int(next.Add(1)) - 1 {
				begin := time.Now()
				if err := operation(i); err != nil && failed.Add(1) == 1 {
					fmt.Fprintln(os.Stderr, err)
				}
				took[i] = time.Since(begin)
			}
		})
	}
	workers.Wait()
	report(name, count, time.Since(start), cpuTime()-cpu, took, failed.Load())
}

func report(name string, count int, wall, cpu time.Duration, took []time.Duration, failed int64) {
	times := ""
	if len(took) > 0 {
		slices.Sort(took)
		at := func(part float64) float64 {
			return float64(took[min(len(took)-1, int(float64(len(took))*part))].Nanoseconds()) / 1e3
		}
		times = fmt.Sprintf(" p50_us=%.0f p99_us=%.0f p999_us=%.0f", at(0.5), at(0.99), at(0.999))
	}
	fmt.Printf("client=google-go op=%s n=%d ops_s=%.0f cpu_us_op=%.2f%s err=%d\n",
		name, count, float64(count)/wall.Seconds(), float64(cpu.Nanoseconds())/1e3/float64(max(count, 1)), times, failed)
}

func key(i int) string {
	key := binary.BigEndian.AppendUint64(nil, uint64(i)*0x9E3779B97F4A7C15)
	return string(binary.BigEndian.AppendUint64(key, uint64(i)))
}

func usage() (usage syscall.Rusage) {
	must(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return usage
}

func cpuTime() time.Duration {
	usage := usage()
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
