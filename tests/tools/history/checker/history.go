package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"sort"
)

// forever is the return time of a call whose effect may come after everything that was observed.
const forever = math.MaxInt64

// Line is a line of a log: a run, a call, or a version in a witness column. README.md describes the fields.
type Line struct {
	Line string `json:"line"`

	Run      string `json:"run"`
	Delivery string `json:"delivery"`
	Versions bool   `json:"versions"`
	LateNs   int64  `json:"late_ns"`

	ID      int64   `json:"id"`
	Task    int     `json:"task"`
	Client  int     `json:"client"`
	Row     string  `json:"row"`
	Op      string  `json:"op"`
	Value   *string `json:"value"`
	Expect  *string `json:"expect"`
	By      int64   `json:"by"`
	Sum     *int64  `json:"sum"`
	Applied *bool   `json:"applied"`
	Outcome string  `json:"outcome"`
	Call    int64   `json:"call"`
	Return  int64   `json:"return"`
	Error   string  `json:"error"`

	At int64 `json:"at"`
}

// History is a log with its calls by row.
type History struct {
	Path     string
	Run      string
	Delivery string
	// Versions is whether the log lists when each write was applied.
	Versions bool
	// LateNs is how long after the end of a call its attempts may still be applied.
	LateNs int64
	Rows   map[string][]Line
	// AppliedAt has the server's timestamps at which the writes were applied.
	AppliedAt map[int64][]int64
	Calls     int
	// Drawn is whether drawings of illegal rows are written next to the log.
	Drawn bool
}

func readHistory(path string) (*History, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	h := &History{Path: path, Rows: map[string][]Line{}, AppliedAt: map[int64][]int64{}}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		var line Line
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
		switch line.Line {
		case "run":
			h.Run, h.Delivery = line.Run, line.Delivery
			h.Versions, h.LateNs = line.Versions, line.LateNs
		case "call":
			if err := line.check(); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", path, n, err)
			}
			h.Rows[line.Row] = append(h.Rows[line.Row], line)
			h.Calls++
		case "version":
			h.AppliedAt[line.ID] = append(h.AppliedAt[line.ID], line.At)
		default:
			return nil, fmt.Errorf("%s:%d: unknown line %q", path, n, line.Line)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if h.Delivery == "" {
		return nil, fmt.Errorf("%s: no line \"run\" with a delivery", path)
	}
	for _, at := range h.AppliedAt {
		sort.Slice(at, func(i, j int) bool { return at[i] < at[j] })
	}
	for _, calls := range h.Rows {
		sort.SliceStable(calls, func(i, j int) bool { return calls[i].Call < calls[j].Call })
	}
	return h, nil
}

func (l Line) check() error {
	switch l.Outcome {
	case "ok", "unknown", "failed":
	default:
		return fmt.Errorf("call %d: unknown outcome %q", l.ID, l.Outcome)
	}
	switch {
	case l.Op == "check" && l.Outcome == "ok" && l.Applied == nil:
		return fmt.Errorf("call %d: a check with a result must have a field `applied`", l.ID)
	case l.Op == "put" && l.Value == nil:
		return fmt.Errorf("call %d: a put has a value", l.ID)
	case l.Return < l.Call:
		return fmt.Errorf("call %d: it returned before it was made", l.ID)
	}
	switch l.Op {
	case "get", "put", "delete", "check", "read", "add":
		return nil
	}
	return fmt.Errorf("call %d: unknown op %q", l.ID, l.Op)
}

// changes reports whether a call can change its row.
func (l Line) changes() bool { return l.Op != "get" && l.Op != "read" }

// isCounter reports whether a row holds a counter; otherwise it holds a register.
func isCounter(calls []Line) bool {
	for _, call := range calls {
		if call.Op == "add" || call.Op == "read" {
			return true
		}
	}
	return false
}

// rowNames are the rows in a fixed order.
func (h *History) rowNames() []string {
	names := make([]string, 0, len(h.Rows))
	for name := range h.Rows {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

func text(value *string) string {
	if value == nil {
		return ""
	}
	return *value
}

// String returns a call as it was logged.
func (l Line) String() string {
	show := func(value *string) string {
		if value == nil {
			return "nothing"
		}
		return *value
	}
	what := l.Op
	switch l.Op {
	case "put":
		what = "put " + show(l.Value)
	case "check":
		what = fmt.Sprintf("if %s then %s", show(l.Expect), show(l.Value))
	case "add":
		what = fmt.Sprintf("add %d", l.By)
	}
	switch {
	case l.Outcome != "ok":
		what += " -> " + l.Outcome
	case l.Op == "get":
		what += " -> " + show(l.Value)
	case l.Op == "check" && *l.Applied:
		what += " -> applied"
	case l.Op == "check":
		what += " -> not applied"
	case l.Op == "add" && l.Sum == nil:
		what += " -> applied, sum not known"
	case l.Op == "read" && l.Sum == nil:
		what += " -> nothing"
	case l.Sum != nil:
		what += fmt.Sprintf(" -> %d", *l.Sum)
	}
	ms := func(ns int64) float64 { return float64(ns) / 1e6 }
	return fmt.Sprintf("%10.3f .. %10.3f ms  task %2d  call %d: %s", ms(l.Call), ms(l.Return), l.Task, l.ID, what)
}
