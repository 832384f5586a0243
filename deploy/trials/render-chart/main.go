// Renders a chart as `helm template` does, with the functions that our chart uses: render-chart CHART VALUES.json
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func readYaml(file string) map[string]interface{} {
	text, err := os.ReadFile(file)
	check(err)
	values := map[string]interface{}{}
	check(yaml.Unmarshal(text, &values))
	return values
}

func merge(into, from map[string]interface{}) {
	for name, value := range from {
		old, isMap := into[name].(map[string]interface{})
		if changed, ok := value.(map[string]interface{}); ok && isMap {
			merge(old, changed)
		} else {
			into[name] = value
		}
	}
}

func main() {
	chart := os.Args[1]
	values := readYaml(filepath.Join(chart, "values.yaml"))
	merge(values, readYaml(os.Args[2]))
	about := readYaml(filepath.Join(chart, "Chart.yaml"))
	data := map[string]interface{}{
		"Values": values,
		"Chart": map[string]interface{}{
			"Name": about["name"], "Version": about["version"], "AppVersion": about["appVersion"],
		},
		"Release": map[string]interface{}{"Name": "trial", "Namespace": "default", "Service": "Helm"},
	}

	root := template.New("chart").Option("missingkey=zero")
	root.Funcs(sprig.TxtFuncMap())
	root.Funcs(template.FuncMap{
		"include": func(name string, with interface{}) (string, error) {
			var out bytes.Buffer
			err := root.ExecuteTemplate(&out, name, with)
			return out.String(), err
		},
		"toYaml": func(value interface{}) (string, error) {
			text, err := yaml.Marshal(value)
			return strings.TrimSuffix(string(text), "\n"), err
		},
		"required": func(message string, value interface{}) (interface{}, error) {
			if value == nil || value == "" {
				return nil, fmt.Errorf(message)
			}
			return value, nil
		},
	})
	files, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	check(err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		check(err)
		_, err = root.New(filepath.Base(file)).Parse(string(text))
		check(err)
	}
	objects := []interface{}{}
	for _, file := range files {
		if filepath.Ext(file) != ".yaml" {
			continue
		}
		var out bytes.Buffer
		check(root.ExecuteTemplate(&out, filepath.Base(file), data))
		if strings.TrimSpace(out.String()) == "" {
			continue
		}
		var object map[string]interface{}
		if err := yaml.UnmarshalStrict(out.Bytes(), &object); err != nil {
			check(fmt.Errorf("%s: %w\n%s", file, err, out.String()))
		}
		objects = append(objects, object)
	}
	check(json.NewEncoder(os.Stdout).Encode(objects))
}
