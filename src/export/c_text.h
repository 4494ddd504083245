// Pieces of C: literals, identifiers, and the beginning of every file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace linsep {

/// The literal of exactly this double.
std::string c_number(double value);
/// A string literal for any bytes. Literals longer than C99 guarantees are arrays of their own (see CStrings).
std::string c_string(std::string_view bytes);
/// The bytes as they may appear in a comment on one line.
std::string c_comment(std::string_view bytes);
/// The prefix of the names in a file, made of `name` in letters, digits and underscores.
std::string c_prefix(const std::string& name);
/// Names for the fields of a struct, all different, that resemble `names`. None is a keyword, or a macro of a header, a
/// compiler or a file of this prefix.
std::vector<std::string> c_fields(const std::vector<std::string>& names, const std::string& prefix);
/// Replaces each '@' in `text` by `name`_.
std::string with_prefix(std::string_view text, const std::string& name);

/// An array as "static const TYPE NAME[] = {…};". If it would be empty, it has one unused entry.
std::string c_array(const std::string& type, const std::string& name, const std::vector<std::string>& values);
/// An array of strings.
std::string c_string_array(const std::string& name, const std::vector<std::string_view>& values);

/// The parts of dates that a file needs.
struct CDateParts {
  bool weekday = false, month = false, hour = false;
  bool any() const { return weekday || month || hour; }
};

/// Functions of the file, with '@' before each name.
std::string_view c_find_function();
std::string_view c_find_pair_functions();
std::string c_date_functions(const CDateParts& parts);
std::string c_bytes_functions(bool lowers);
std::string_view c_letter_functions();  ///< follow those for pieces of bytes and the table of letters
std::string_view c_term_functions();
std::string_view c_hash_functions();
std::string_view c_find_bucket_function();

}  // namespace linsep
