// Schema bundles: how they are made, read, changed and deleted.
package main

import (
	"context"

	"cloud.google.com/go/bigtable"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
)

// definitions encodes a file with a message of these texts, numbered from 1.
func definitions(fields ...string) []byte {
	message := &descriptorpb.DescriptorProto{Name: proto.String("Visit")}
	for at, field := range fields {
		message.Field = append(message.Field, &descriptorpb.FieldDescriptorProto{
			Name:   proto.String(field),
			Number: proto.Int32(int32(at + 1)),
			Label:  descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum(),
			Type:   descriptorpb.FieldDescriptorProto_TYPE_STRING.Enum(),
		})
	}
	file := &descriptorpb.FileDescriptorProto{
		Name:        proto.String("visit.proto"),
		Package:     proto.String("shop"),
		Syntax:      proto.String("proto3"),
		MessageType: []*descriptorpb.DescriptorProto{message},
	}
	encoded, err := proto.Marshal(&descriptorpb.FileDescriptorSet{File: []*descriptorpb.FileDescriptorProto{file}})
	must(err)
	return encoded
}

func bundleSteps(f *fixture) {
	const table, bundle = "bundles", "web"
	f.table(table, "f")
	_ = f.admin.DeleteSchemaBundle(f.ctx, table, bundle)
	conf := func(id string, encoded []byte) bigtable.SchemaBundleConf {
		return bigtable.SchemaBundleConf{
			TableID: table, SchemaBundleID: id,
			ProtoSchema: &bigtable.ProtoSchemaInfo{ProtoDescriptors: encoded},
		}
	}
	create := func(ctx context.Context, id string, encoded []byte) error {
		conf := conf(id, encoded)
		return f.admin.CreateSchemaBundle(ctx, &conf)
	}
	update := func(ctx context.Context, encoded []byte, etag string, ignore bool) error {
		conf := conf(bundle, encoded)
		conf.Etag = etag
		return f.admin.UpdateSchemaBundle(ctx, bigtable.UpdateSchemaBundleConf{SchemaBundleConf: conf, IgnoreWarnings: ignore})
	}
	read := func(ctx context.Context, expected []byte) (string, error) {
		info, err := f.admin.GetSchemaBundle(ctx, table, bundle)
		if err != nil {
			return "", err
		}
		return info.Etag, equal(info.SchemaBundle, expected)
	}
	first, second := definitions("page"), definitions("page", "browser")

	f.step("a bundle is created, listed and read", func(ctx context.Context) error {
		if err := create(ctx, bundle, first); err != nil {
			return err
		}
		found, err := f.admin.SchemaBundles(ctx, table)
		if err != nil {
			return err
		}
		if err := equal(found, []string{bundle}); err != nil {
			return err
		}
		_, err = read(ctx, first)
		return err
	})
	f.step("a bundle that exists is not created", func(ctx context.Context) error {
		return fails(create(ctx, bundle, second), codes.AlreadyExists, "")
	})
	f.step("definitions that are none are refused", func(ctx context.Context) error {
		if err := fails(create(ctx, "bad", []byte("no message")), codes.InvalidArgument, ""); err != nil {
			return err
		}
		return fails(create(ctx, "bad", nil), codes.InvalidArgument, "")
	})
	f.step("a bundle is changed by its etag, and not by an old one", func(ctx context.Context) error {
		etag, err := read(ctx, first)
		if err != nil {
			return err
		}
		if err := update(ctx, second, etag, false); err != nil {
			return err
		}
		if err := fails(update(ctx, second, etag, false), codes.Aborted, ""); err != nil {
			return err
		}
		_, err = read(ctx, second)
		return err
	})
	f.step("a change that takes a field away has to ignore warnings", func(ctx context.Context) error {
		if err := fails(update(ctx, first, "", false), codes.FailedPrecondition, "browser"); err != nil {
			return err
		}
		if err := update(ctx, first, "", true); err != nil {
			return err
		}
		_, err := read(ctx, first)
		return err
	})
	f.step("a bundle is deleted", func(ctx context.Context) error {
		if err := f.admin.DeleteSchemaBundle(ctx, table, bundle); err != nil {
			return err
		}
		found, err := f.admin.SchemaBundles(ctx, table)
		if err != nil {
			return err
		}
		if err := equal(len(found), 0); err != nil {
			return err
		}
		_, err = read(ctx, first)
		return fails(err, codes.NotFound, "")
	})
	f.step("a table that is missing has no bundles", func(ctx context.Context) error {
		_, err := f.admin.SchemaBundles(ctx, "none")
		return fails(err, codes.NotFound, "")
	})
}
