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
/// Identifiers of C, all different, that resemble the names.
std::vector<std::string> c_identifiers(const std::vector<std::string>& names);
/// `text` with `name`_ for each '@'.
std::string with_prefix(std::string_view text, const std::string& name);

/// An array: "static const TYPE NAME[] = {…};", or with an entry that isn't used where there is none.
std::string c_array(const std::string& type, const std::string& name, const std::vector<std::string>& values);
/// An array of strings.
std::string c_string_array(const std::string& name, const std::vector<std::string_view>& values);

/// Functions of the file, with '@' before each name.
std::string_view c_find_function();
std::string_view c_find_pair_functions();
std::string_view c_date_functions();
std::string c_bytes_functions(bool lowers);
std::string_view c_letter_functions();  ///< behind those of bytes' pieces and the table of letters
std::string_view c_term_functions();
std::string_view c_hash_functions();
std::string_view c_find_bucket_function();

}  // namespace linsep
