// The stages of `load` through gohbase.
package main

import (
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math/rand"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/tsuna/gohbase"
	"github.com/tsuna/gohbase/hrpc"
)

const batchSize = 100

var table = []byte("bench_go")

type load struct {
	client      gohbase.Client
	ctx         context.Context
	count       int
	concurrency int
	value       []byte
}

func main() {
	quorum := flag.String("quorum", "127.0.0.1:2181", "ZooKeeper")
	count := flag.Int("n", 100000, "operations of the large stages")
	concurrency := flag.Int("conc", 64, "concurrent operations")
	size := flag.Int("value", 100, "bytes of a value")
	flush := flag.Duration("flush", 20*time.Millisecond, "how long calls wait for others; the client's default is 20ms")
	stages := flag.String("ops", "warm,put,get,get1,inc,batchput,batchget,scan", "stages")
	flag.Parse()

	value := make([]byte, *size)
	rand.New(rand.NewSource(1)).Read(value)
	quiet := gohbase.Logger(slog.New(slog.NewTextHandler(io.Discard, nil)))
	ctx := context.Background()
	create(ctx, gohbase.NewAdminClient(*quorum, quiet))
	client := gohbase.NewClient(*quorum, quiet, gohbase.FlushInterval(*flush))
	defer client.Close()
	l := load{client, ctx, *count, *concurrency, value}
	for _, stage := range strings.Split(*stages, ",") {
		l.run(stage)
	}
	fmt.Printf("client=gohbase op=rss peak_mb=%d\n", usage().Maxrss/1024)
}

func create(ctx context.Context, admin gohbase.AdminClient) {
	// There may be no such table.
	_ = admin.DisableTable(hrpc.NewDisableTable(ctx, table))
	_ = admin.DeleteTable(hrpc.NewDeleteTable(ctx, table))
	splits := hrpc.SplitKeys([][]byte{{64}, {128}, {192}})
	must(admin.CreateTable(hrpc.NewCreateTable(ctx, table, map[string]map[string]string{"f": {}}, splits)))
}

func (l *load) run(name string) {
	switch name {
	case "warm":
		l.stage("warm", l.count/4, l.concurrency, func(i int) error { return second(l.client.Put(l.put(i))) })
		l.stage("warmget", l.count/4, l.concurrency, func(i int) error { return second(l.client.Get(l.get(i))) })
	case "put":
		l.stage(name, l.count, l.concurrency, func(i int) error { return second(l.client.Put(l.put(i))) })
	case "get":
		l.stage(name, l.count, l.concurrency, func(i int) error { return second(l.client.Get(l.get(i))) })
	case "get1":
		l.stage(name, l.count/10, 1, func(i int) error { return second(l.client.Get(l.get(i))) })
	case "inc":
		l.stage(name, l.count/2, l.concurrency, func(i int) error {
			increment, err := hrpc.NewIncSingle(l.ctx, table, key(i%1000), "f", "c", 1)
			must(err)
			return second(l.client.Increment(increment))
		})
	case "batchput":
		l.batches(name, func(i int) hrpc.Call { return l.put(i) })
	case "batchget":
		l.batches(name, func(i int) hrpc.Call { return l.get(i) })
	case "scan":
		for range 3 {
			l.scan()
		}
	default:
		fmt.Fprintf(os.Stderr, "there is no stage %q\n", name)
		os.Exit(2)
	}
}

func (l *load) batches(name string, call func(i int) hrpc.Call) {
	l.stage(name, l.count/batchSize, 8, func(i int) error {
		calls := make([]hrpc.Call, batchSize)
		for j := range calls {
			calls[j] = call(i*batchSize + j)
		}
		if results, ok := l.client.SendBatch(l.ctx, calls); !ok {
			for _, result := range results {
				if result.Error != nil {
					return result.Error
				}
			}
		}
		return nil
	})
}

func (l *load) scan() {
	cpu, start, rows, wrong := cpuTime(), time.Now(), 0, int64(0)
	scan, err := hrpc.NewScan(l.ctx, table, hrpc.Families(map[string][]string{"f": {"q"}}))
	must(err)
	scanner := l.client.Scan(scan)
	for {
		row, err := scanner.Next()
		if err == io.EOF {
			break
		}
		must(err)
		rows++
		if len(row.Cells[0].Value) != len(l.value) {
			wrong++
		}
	}
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
	fmt.Printf("client=gohbase op=%s n=%d ops_s=%.0f cpu_us_op=%.2f%s err=%d\n",
		name, count, float64(count)/wall.Seconds(), float64(cpu.Nanoseconds())/1e3/float64(max(count, 1)), times, failed)
}

func (l *load) put(i int) *hrpc.Mutate {
	put, err := hrpc.NewPut(l.ctx, table, key(i), map[string]map[string][]byte{"f": {"q": l.value}})
	must(err)
	return put
}

func (l *load) get(i int) *hrpc.Get {
	get, err := hrpc.NewGet(l.ctx, table, key(i*7919%l.count))
	must(err)
	return get
}

func key(i int) []byte {
	key := binary.BigEndian.AppendUint64(nil, uint64(i)*0x9E3779B97F4A7C15)
	return binary.BigEndian.AppendUint64(key, uint64(i))
}

func usage() (usage syscall.Rusage) {
	must(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return usage
}

func cpuTime() time.Duration {
	usage := usage()
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func second[T any](_ T, err error) error { return err }

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
