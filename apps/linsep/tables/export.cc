// linsep export writes a model in ONNX, SQL, C or JSON.
#include "linsep/tools/export.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "linsep/error.h"
#include "linsep/model.h"
#include "options/command_options.h"
#include "output.h"
#include "verb.h"

namespace linsep::app {
namespace {

struct ExportCommand {
  std::string path, output, format, dialect, from = "data", name;
  bool floats = false;

  void declare(CommandOptions& options) {
    options.add({
        {"MODEL", &path, "A model file that `linsep train` wrote."},
        {"-o,--output", &output, "FILE",
         "The file to write; its ending .onnx, .sql, .c or .json decides the language. [standard output]"},
        {"--format", &format, "LANGUAGE", "onnx, sql, c or json. [by the file's ending]", OneOf{"onnx sql c json"}},
        {"--dialect", &dialect, "DIALECT", "SQL: duckdb or postgresql.", OneOf{"duckdb postgresql"}},
        {"--from", &from, "TABLE", "SQL: the name of the table that the query reads. [data]"},
        {"--name", &name, "NAME", "C: the prefix of every name. [the file's name]"},
        {"--float", &floats, "ONNX, for numbers without missing values: one input of floats, scored in floats."},
    });
  }

  /// The language, by --format or by the ending.
  std::string language() const {
    if (!format.empty()) return format;
    for (const std::string_view ending : {"onnx", "sql", "c", "json"}) {
      if (output.size() > ending.size() && output.ends_with(ending) &&
          output[output.size() - ending.size() - 1] == '.') {
        return std::string(ending);
      }
    }
    throw usage_error("which language? Use an -o FILE that ends in .onnx, .sql, .c or .json, or --format");
  }

  /// The file's name without folders and ending.
  std::string stem() const {
    const std::string file = output.substr(output.find_last_of('/') + 1);
    const std::string own = file.substr(0, file.find('.'));
    return own.empty() || own == "-" ? "model" : own;
  }

  std::string text(const Model& model) const {
    const std::string wanted = language();
    if (wanted != "sql" && !dialect.empty()) throw usage_error("--dialect is for SQL");
    if (wanted != "c" && !name.empty()) throw usage_error("--name is for C");
    if (wanted != "onnx" && floats) throw usage_error("--float is for ONNX");
    if (wanted == "onnx") return floats ? export_onnx_float(model) : export_onnx(model);
    if (wanted == "c") return export_c(model, name.empty() ? stem() : name);
    if (wanted == "json") return model_to_json(model);
    if (dialect.empty()) throw usage_error("which SQL? Use --dialect duckdb or --dialect postgresql");
    return export_sql(model, dialect == "duckdb" ? SqlDialect::kDuckDb : SqlDialect::kPostgreSql, from);
  }

  int run() const {
    if (path.empty()) throw usage_error("MODEL is missing: which model should be exported?");
    const std::string made = text(load_model(path));
    Output file(output);
    file.write(made);
    file.close();
    return kDone;
  }
};

}  // namespace

Verb export_verb() {
  return {"export", "Export a model as ONNX, SQL, C or JSON.",
          "  linsep export spam.model -o spam.onnx\n"
          "      For ONNX Runtime: columns by name in, label, score and probability out.\n"
          "  linsep export spam.model -o spam.sql --dialect duckdb --from mail\n"
          "      A query that adds a prediction to every row of the table mail.\n"
          "  linsep export spam.model -o spam.c\n"
          "      One C99 file: spam_score(&row), spam_label(&row).\n",
          [](CommandOptions& options) -> std::function<int()> {
            auto command = std::make_shared<ExportCommand>();
            command->declare(options);
            return [command] { return command->run(); };
          }};
}

}  // namespace linsep::app
