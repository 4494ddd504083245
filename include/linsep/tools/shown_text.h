// Names and other texts that come from files, as a terminal may show them.
#pragma once

#include <string>
#include <string_view>

namespace linsep {

/// The text with everything escaped that isn't a plain visible character. That is control characters and newlines
/// ("\x1b", "\n"), marks that change the direction or the lines of text or can't be seen ("\u202e"), and bytes that
/// aren't UTF-8 ("\xff"). All other UTF-8 stays as it is. Text longer than a screen (2,000 bytes) is cut in its middle.
/// Only for words that people read. Output for programs (JSON, predictions) isn't escaped by it.
std::string shown_text(std::string_view text);

/// The same for a text of several lines. Newlines stay, and nothing is cut.
std::string shown_lines(std::string_view text);

/// The text, cut in its middle if it is longer than a screen.
std::string cut_to_screen(std::string text);

}  // namespace linsep
