// The official Go client, unmodified, against a server of Bigtable's API at BIGTABLE_EMULATOR_HOST.
//
// One line for each step that fails, then 'N passed, M failed'. With -emulator, the steps that Google's emulator is known
// to answer differently are expected to differ.
package main

import (
	"context"
	"flag"

	"cloud.google.com/go/bigtable"
)

// fixture has the clients that all groups use.
type fixture struct {
	*checks
	admin  *bigtable.AdminClient
	client *bigtable.Client
}

// emulatorDiffers lists what Google's emulator does differently from the service.
var emulatorDiffers = []string{
	"admin: a family that is missing is not deleted",
	"admin: splits are sample keys",
	"sizes: a cell of more than 100 MiB is refused",
	"sizes: a row of more than 256 MiB is refused, and can be read in parts",
	"writes: an unknown family is not found",
	"writes: a mutation that fails changes nothing",
	"writes: a row key has at most 4 KiB",
	"writes: in a bulk, only the entry with an unknown family fails",
	"counters: a value that is no number is a failed precondition",
	"garbage: an intersection",
	// It sets a new type, and goes on replacing.
	"aggregates: a family without a type gets none later",
	// It keeps what was added last.
	"aggregates: a min keeps its value",
	"aggregates: a max keeps its value",
	"aggregates: an addition to a family without a type is refused",
	// It adds what is to be set.
	"aggregates: a cell of an aggregate is not set",
	"aggregates: a cell of an aggregate is not incremented",
	// It has no tokens.
	"aggregates: an addition with a token counts once",
	"aggregates: a token of less than 8 bytes is refused",
	"aggregates: an addition that began 16 minutes ago is refused",
	// It has no authorized views.
	"views: a view is created and listed",
	"views: a view that exists is not created",
	"views: a view is described",
	"views: a protected view is not deleted, nor is its table",
	"views: the protection is removed, and the rest stays",
	"views: a row of the view is written and read",
	"views: a row or a column outside is not written",
	"views: in a bulk, only the entries outside fail",
	"views: a row or a column outside is not read",
	"views: an append outside is refused",
	"views: a condition sees what the view lets through",
	"views: the samples of a view are within its rows",
	"views: of 32 callers, the rows of the view are written and no others",
	"views: a view is deleted, and the rows of its table stay",
	// It has no schema bundles.
	"bundles: a bundle is created, listed and read",
	"bundles: a bundle that exists is not created",
	"bundles: definitions that are none are refused",
	"bundles: a bundle is changed by its etag, and not by an old one",
	"bundles: a change that takes a field away has to ignore warnings",
	"bundles: a bundle is deleted",
	"bundles: a table that is missing has no bundles",
	// It has no backups.
	"backups: a backup is made, described and listed",
	"backups: a backup that exists is not made",
	"backups: a backup that expires too soon is refused",
	"backups: a backup becomes a new table",
	"backups: a backup is copied",
	"backups: the expiry of a backup is changed",
	"backups: a backup is deleted",
	// It has no change streams.
	"changes: a table has its retention",
	"changes: the partitions are parts of the table",
	"changes: the changes of rows are read by partition",
	"changes: a stream does not begin before its retention",
	"changes: a table without a stream has no changes",
}

func main() {
	emulator := flag.Bool("emulator", false, "the server is Google's emulator")
	additions := flag.String("additions", "", "the address of the mock's control port: only add while replies are lost")
	flag.Parse()
	ctx := context.Background()
	admin, err := bigtable.NewAdminClient(ctx, "interop", "go")
	must(err)
	client, err := bigtable.NewClient(ctx, "interop", "go")
	must(err)
	c := &checks{ctx: ctx, differs: map[string]bool{}, found: map[string]bool{}}
	if *emulator {
		for _, step := range emulatorDiffers {
			c.differs[step] = true
		}
	}
	f := &fixture{checks: c, admin: admin, client: client}
	if *additions != "" {
		c.group = "additions"
		additionSteps(f, controlPort(*additions))
		c.end()
		return
	}
	groups := []struct {
		name string
		run  func(*fixture)
	}{
		{"admin", adminSteps}, {"rows", rowSteps}, {"sizes", sizeSteps}, {"writes", writeSteps},
		{"counters", counterSteps}, {"conditions", conditionSteps},
		{"filters", filterSteps}, {"garbage", garbageSteps},
		{"aggregates", aggregateSteps}, {"views", viewSteps}, {"bundles", bundleSteps}, {"backups", backupSteps},
		{"changes", changeSteps},
	}
	for _, group := range groups {
		c.group = group.name
		group.run(f)
	}
	c.end()
}

// table makes a new table with these families.
func (f *fixture) table(name string, families ...string) *bigtable.Table {
	config := &bigtable.TableConf{TableID: name, ColumnFamilies: map[string]bigtable.Family{}}
	for _, family := range families {
		config.ColumnFamilies[family] = bigtable.Family{}
	}
	_ = f.admin.DeleteTable(f.ctx, name)
	must(f.admin.CreateTableFromConf(f.ctx, config))
	return f.client.Open(name)
}
