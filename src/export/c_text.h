// Pieces of C: literals, identifiers, and what every file begins with.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace linsep {

/// The double itself.
std::string c_number(double value);
/// A string literal, whatever the bytes are; longer ones than C99 promises are arrays by themselves: see CStrings.
std::string c_string(std::string_view bytes);
/// What stands in a comment on one line.
std::string c_comment(std::string_view bytes);
/// What the names of a file begin with: `name` in letters, digits and underscores.
std::string c_prefix(const std::string& name);
/// Names for the fields of a struct, all different, that resemble `names` and that neither a keyword nor a macro is
/// called like, be it of a header, a compiler or a file of this prefix.
std::vector<std::string> c_fields(const std::vector<std::string>& names, const std::string& prefix);
/// `text` with `name`_ for each '@'.
std::string with_prefix(std::string_view text, const std::string& name);

/// An array: "static const TYPE NAME[] = {…};", or with an entry that isn't used where there is none.
std::string c_array(const std::string& type, const std::string& name, const std::vector<std::string>& values);
/// An array of strings.
std::string c_string_array(const std::string& name, const std::vector<std::string_view>& values);

/// The parts of dates that a file asks for.
struct CDateParts {
  bool weekday = false, month = false, hour = false;
  bool any() const { return weekday || month || hour; }
};

/// Functions of the file, with '@' before each name.
std::string_view c_find_function();
std::string_view c_find_pair_functions();
std::string c_date_functions(const CDateParts& parts);
std::string c_bytes_functions(bool lowers);
std::string_view c_letter_functions();  ///< behind those of bytes' pieces and the table of letters
std::string_view c_term_functions();
std::string_view c_hash_functions();
std::string_view c_find_bucket_function();

}  // namespace linsep
