package main

import (
	"fmt"
	"path/filepath"
	"time"
)

// controls checks the hand-written histories of a folder: those in illegal/ must be rejected, those
// in legal/ accepted. A checker that never rejects proves nothing.
func controls(folder string, limit time.Duration) error {
	for _, kind := range []string{"legal", "illegal"} {
		paths, err := filepath.Glob(filepath.Join(folder, kind, "*.jsonl"))
		if err != nil {
			return err
		}
		if len(paths) == 0 {
			return fmt.Errorf("no controls in %s", filepath.Join(folder, kind))
		}
		for _, path := range paths {
			h, err := readHistory(path)
			if err != nil {
				return err
			}
			h.Drawn = false
			found := judge(h, limit)
			if (kind == "legal") != (found.reasons() == 0) {
				return fmt.Errorf("%s: it is %s, but the verdict is %q", path, kind, found.wrong)
			}
		}
		fmt.Printf("controls: %d %s histories, as expected\n", len(paths), kind)
	}
	return nil
}
