package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGoStatementsHaveAComment checks that each go statement has a comment on its line, which says what ends the
// goroutine.
func TestGoStatementsHaveAComment(t *testing.T) {
	eachSource(t, func(s source) {
		ast.Inspect(s.file, func(n ast.Node) bool {
			if g, ok := n.(*ast.GoStmt); ok {
				require.True(t, s.remark[s.line(g.Pos())] || s.remark[s.line(g.End())], "%s: say who ends it", s.fset.Position(g.Pos()))
			}
			return true
		})
	})
}

// TestMutexesDocumentWhatTheyGuard checks that a mutex directly precedes the members or variables that it guards, without a
// blank line, or has a comment.
func TestMutexesDocumentWhatTheyGuard(t *testing.T) {
	eachSource(t, func(s source) {
		ast.Inspect(s.file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.StructType:
				for i, field := range n.Fields.List {
					if isMutex(field.Type) {
						guards := i+1 < len(n.Fields.List) && s.line(n.Fields.List[i+1].Pos()) == s.line(field.End())+1
						require.True(t, guards || s.remark[s.line(field.Pos())], "%s: say what it guards", s.fset.Position(field.Pos()))
					}
				}
			case *ast.ValueSpec:
				if isMutex(n.Type) {
					below := strings.TrimSpace(s.text[s.line(n.End())])
					guards := strings.HasPrefix(below, "var ") || strings.Contains(below, ":=")
					require.True(t, guards || s.remark[s.line(n.Pos())], "%s: say what it guards", s.fset.Position(n.Pos()))
				}
			}
			return true
		})
	})
}

// source is a file of the house.
type source struct {
	fset   *token.FileSet
	file   *ast.File
	text   []string     // its lines
	remark map[int]bool // lines with a comment, from 1
}

func (s source) line(p token.Pos) int { return s.fset.Position(p).Line }

func eachSource(t *testing.T, do func(source)) {
	t.Helper()
	eachFile(t, func(path, _ string) {
		s := source{fset: token.NewFileSet(), remark: map[int]bool{}}
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		s.file, err = parser.ParseFile(s.fset, path, text, parser.ParseComments|parser.SkipObjectResolution)
		require.NoError(t, err)
		s.text = strings.Split(string(text), "\n")
		for _, group := range s.file.Comments {
			for _, comment := range group.List {
				s.remark[s.line(comment.Pos())] = true
			}
		}
		do(s)
	})
}

// isMutex reports whether an expression is the type sync.Mutex or sync.RWMutex.
func isMutex(e ast.Expr) bool {
	named, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	from, ok := named.X.(*ast.Ident)
	return ok && from.Name == "sync" && (named.Sel.Name == "Mutex" || named.Sel.Name == "RWMutex")
}
