// Other people's verifiers of transparency logs, asked about ours: Go's own checksum database
// (golang.org/x/mod/sumdb) and the transparency.dev modules. And the other way round: a tree, a head and
// proofs made by them, for ours to verify.
//
//	go run . check FOLDER    verifies what the Rust side wrote; exits with 1 at the first lie
//	go run . make FOLDER     writes what the Rust side is to verify
package main

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	flog "github.com/transparency-dev/formats/log"
	fnote "github.com/transparency-dev/formats/note"
	"github.com/transparency-dev/merkle/proof"
	"github.com/transparency-dev/merkle/rfc6962"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("usage: check|make FOLDER")
	}
	switch os.Args[1] {
	case "check":
		check(os.Args[2])
	case "make":
		makeOwn(os.Args[2])
	default:
		log.Fatal("usage: check|make FOLDER")
	}
}

func read(folder, name string) []byte {
	data, err := os.ReadFile(filepath.Join(folder, name))
	must(err)
	return data
}

func write(folder, name, text string) {
	must(os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644))
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func hashes(text string) [][]byte {
	var all [][]byte
	for _, line := range strings.Fields(text) {
		hash, err := base64.StdEncoding.DecodeString(line)
		must(err)
		all = append(all, hash)
	}
	return all
}

// The tiles as their specification lays them out, read by Go's own code for trees.
type tiles struct {
	folder string
	size   int64
}

func (t tiles) Height() int { return 8 }

func (t tiles) ReadTiles(want []tlog.Tile) ([][]byte, error) {
	var all [][]byte
	for _, tile := range want {
		// Go's layout puts the height first and calls partial tiles alike.
		path := strings.TrimPrefix(tile.Path(), "tile/8/")
		data, err := os.ReadFile(filepath.Join(t.folder, "tile", path))
		if err != nil {
			return nil, err
		}
		all = append(all, data)
	}
	return all, nil
}

func (t tiles) SaveTiles([]tlog.Tile, [][]byte) {}

func check(folder string) {
	verifier, err := note.NewVerifier(strings.TrimSpace(string(read(folder, "house.vkey"))))
	must(err)
	witness, err := fnote.NewVerifierForCosignatureV1(strings.TrimSpace(string(read(folder, "witness.vkey"))))
	must(err)

	// The signed head, its cosignature, and what it says.
	head, _, seal, err := flog.ParseCheckpoint(read(folder, "checkpoint"), verifier.Name(), verifier, witness)
	must(err)
	if len(seal.Sigs) != 2 {
		log.Fatalf("%d known signatures, 2 are there", len(seal.Sigs))
	}
	old, _, _, err := flog.ParseCheckpoint(read(folder, "old"), verifier.Name(), verifier)
	must(err)
	text := bytes.Replace(read(folder, "checkpoint"), []byte("\n"), []byte("x\n"), 1)
	if _, _, _, err := flog.ParseCheckpoint(text, verifier.Name(), verifier); err == nil {
		log.Fatal("a changed head was accepted")
	}

	// A leaf in the tree, by transparency.dev and by Go.
	entry := read(folder, "entry")
	var index uint64
	_, err = fmt.Sscanf(string(read(folder, "index")), "%d", &index)
	must(err)
	path := hashes(string(read(folder, "inclusion")))
	leaf := rfc6962.DefaultHasher.HashLeaf(entry)
	must(proof.VerifyInclusion(rfc6962.DefaultHasher, index, head.Size, leaf, path, head.Hash))
	var record tlog.RecordProof
	for _, hash := range path {
		record = append(record, tlog.Hash(hash))
	}
	must(tlog.CheckRecord(record, int64(head.Size), tlog.Hash(head.Hash), int64(index), tlog.RecordHash(entry)))
	other := rfc6962.DefaultHasher.HashLeaf(append(entry, 'x'))
	if proof.VerifyInclusion(rfc6962.DefaultHasher, index, head.Size, other, path, head.Hash) == nil {
		log.Fatal("a changed leaf was accepted")
	}

	// The old head is the beginning of the new one.
	path = hashes(string(read(folder, "consistency")))
	must(proof.VerifyConsistency(rfc6962.DefaultHasher, old.Size, head.Size, path, old.Hash, head.Hash))
	var tree tlog.TreeProof
	for _, hash := range path {
		tree = append(tree, tlog.Hash(hash))
	}
	must(tlog.CheckTree(tree, int64(head.Size), tlog.Hash(head.Hash), int64(old.Size), tlog.Hash(old.Hash)))

	// The tiles make the same proofs when Go reads them.
	reader := tlog.TileHashReader(tlog.Tree{N: int64(head.Size), Hash: tlog.Hash(head.Hash)}, tiles{folder, int64(head.Size)})
	made, err := tlog.ProveRecord(int64(head.Size), int64(index), reader)
	must(err)
	if fmt.Sprint(made) != fmt.Sprint(record) {
		log.Fatal("the tiles prove the leaf otherwise")
	}
	grown, err := tlog.ProveTree(int64(head.Size), int64(old.Size), reader)
	must(err)
	if fmt.Sprint(grown) != fmt.Sprint(tree) {
		log.Fatal("the tiles prove the growth otherwise")
	}
	fmt.Println("all accepted")
}

type stored []tlog.Hash

func (s stored) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	var all []tlog.Hash
	for _, index := range indexes {
		all = append(all, s[index])
	}
	return all, nil
}

func makeOwn(folder string) {
	const name, size, before, index = "peer.example/log", 70_001, 513, 40_000
	secret, public, err := note.GenerateKey(rand.Reader, name)
	must(err)
	signer, err := note.NewSigner(secret)
	must(err)
	entry := func(at int64) []byte { return fmt.Appendf(nil, "entry %d", at) }
	var all stored
	for at := int64(0); at < size; at++ {
		more, err := tlog.StoredHashes(at, entry(at), all)
		must(err)
		all = append(all, more...)
	}
	head := func(size int64) string {
		root, err := tlog.TreeHash(size, all)
		must(err)
		checkpoint := flog.Checkpoint{Origin: name, Size: uint64(size), Hash: root[:]}
		signed, err := note.Sign(&note.Note{Text: string(checkpoint.Marshal())}, signer)
		must(err)
		return string(signed)
	}
	lines := func(hashes []tlog.Hash) string {
		var text strings.Builder
		for _, hash := range hashes {
			fmt.Fprintln(&text, base64.StdEncoding.EncodeToString(hash[:]))
		}
		return text.String()
	}
	record, err := tlog.ProveRecord(size, index, all)
	must(err)
	tree, err := tlog.ProveTree(size, before, all)
	must(err)
	write(folder, "house.vkey", public)
	write(folder, "checkpoint", head(size))
	write(folder, "old", head(before))
	write(folder, "entry", string(entry(index)))
	write(folder, "index", fmt.Sprint(index))
	write(folder, "inclusion", lines(record))
	write(folder, "consistency", lines(tree))
	fmt.Println("made")
}
