package judging

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/pflag"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance"
)

// signFlags say whether a run writes a signed result.
type signFlags struct {
	result  string
	signKey string
	goodFor time.Duration
}

func (f *signFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.result, "result", "", "write a signed result, for 'cabrank verify'; needs --sign")
	fs.StringVar(&f.signKey, "sign", "", "sign the result with this private key ('cabrank verify --new-key FILE' makes one)")
	fs.DurationVar(&f.goodFor, "good-for", 90*24*time.Hour, "validity of the signed result")
}

// signable checks before a run that its result can be signed. partial names the flag that
// reduces the suite; "": none.
func (f *signFlags) signable(partial string) error {
	switch {
	case f.result == "" && f.signKey == "":
		return nil
	case f.result == "" || f.signKey == "":
		return cli.UsageError("--result and --sign go together")
	case partial != "":
		return cli.UsageError("--result: %w, and %s reduces it", conformance.ErrPartial, partial)
	case f.goodFor <= 0:
		return cli.UsageError("--good-for is %v, want more than nothing", f.goodFor)
	}
	if _, err := readKey(f.signKey); err != nil {
		return err
	}
	if err := writable(map[string]string{"result": f.result}); err != nil {
		return err
	}
	if err := os.Remove(f.result); f.result != "-" && !errors.Is(err, fs.ErrNotExist) {
		return err // remove the result of an earlier run, which would be taken for one of this run
	}
	return nil
}

// writeSigned signs a run and writes the result, unless the run was stopped.
func (f *signFlags) writeSigned(run *conformance.RunFile, out cli.Outside) error {
	switch {
	case f.result == "":
		return nil
	case run.Interrupted:
		fmt.Fprintf(out.Stderr, "cabrank: %s was not written: the run was stopped\n", f.result)
		return nil
	}
	key, err := readKey(f.signKey)
	if err != nil {
		return err
	}
	signed, err := run.Sign(key, cli.Now().Add(f.goodFor))
	if err != nil {
		return cli.UsageError("--result: %w", err)
	}
	return writeTo("result", f.result, out, signed.Write)
}

// PEM block types of the keys.
const (
	privateBlock = "PRIVATE KEY"
	publicBlock  = "PUBLIC KEY"
)

// newKey writes a private key, which only its owner can read, and the public key beside
// it.
func newKey(path string) error {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return fmt.Errorf("--new-key: %w", err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return fmt.Errorf("--new-key: %w", err)
	}
	open, err := x509.MarshalPKIXPublicKey(public)
	if err != nil {
		return fmt.Errorf("--new-key: %w", err)
	}
	if err := writeBlock(path, 0o600, privateBlock, secret); err != nil {
		return err
	}
	return writeBlock(path+".pub", 0o644, publicBlock, open)
}

// writeBlock writes a new PEM file; it never overwrites one.
func writeBlock(path string, mode os.FileMode, kind string, bytes []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return cli.UsageError("--new-key: %w", err)
	}
	return errors.Join(pem.Encode(file, &pem.Block{Type: kind, Bytes: bytes}), file.Close())
}

func readBlock(flag, path, kind string) ([]byte, error) {
	file, err := openFile(flag, path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(file)
	if err != nil {
		return nil, cli.UsageError("--%s: %w", flag, err)
	}
	block, _ := pem.Decode(text)
	if block != nil && block.Type == privateBlock && kind == publicBlock {
		return nil, cli.UsageError("--%s: %s is a private key: give the public one, %s.pub", flag, path, path)
	}
	if block == nil || block.Type != kind {
		return nil, cli.UsageError("--%s: %s has no PEM block %q", flag, path, kind)
	}
	return block.Bytes, nil
}

func readKey(path string) (ed25519.PrivateKey, error) {
	bytes, err := readBlock("sign", path, privateBlock)
	if err != nil {
		return nil, err
	}
	parsed, err := x509.ParsePKCS8PrivateKey(bytes)
	key, ok := parsed.(ed25519.PrivateKey)
	if err != nil || !ok {
		return nil, cli.UsageError("--sign: %s is no Ed25519 key", path)
	}
	return key, nil
}

func readPublicKey(path string) (ed25519.PublicKey, error) {
	bytes, err := readBlock("signer", path, publicBlock)
	if err != nil {
		return nil, err
	}
	parsed, err := x509.ParsePKIXPublicKey(bytes)
	key, ok := parsed.(ed25519.PublicKey)
	if err != nil || !ok {
		return nil, cli.UsageError("--signer: %s is no Ed25519 key", path)
	}
	return key, nil
}
