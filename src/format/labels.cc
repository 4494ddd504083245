#include "format/labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "format/number.h"
#include "format/page_labels.h"
#include "linsep/error.h"

namespace linsep {

LabelSettler::Class LabelSettler::make_class(const std::string& name) {
  Class label;
  label.is_number = parse_whole_number(name.data(), name.data() + name.size(), label.number);
  label.name = label.is_number ? number_name(label.number) : name;
  return label;
}

LabelSettler::LabelSettler(const ReadOptions& options, bool streaming) {
  if (!options.labelled) return;
  if (options.regression) {
    mode_ = Mode::kTargets;
    return;
  }
  if (!options.positive.empty()) positive_ = class_name(options.positive);
  if (!options.classes.empty()) {
    mode_ = Mode::kGiven;
    if (options.classes.size() != 2 || class_name(options.classes[0]) == class_name(options.classes[1])) {
      throw usage_error(
          fmt::format("two different classes must be named, not '{}'", fmt::join(options.classes, "', '")));
    }
    set_classes({make_class(options.classes[0]), make_class(options.classes[1])});
  } else if (streaming) {
    if (positive_.empty() || positive_ == "1") {
      mode_ = Mode::kSigns;
      set_classes({make_class("-1"), make_class("1")});
    } else if (positive_ == "-1" || positive_ == "0") {
      mode_ = Mode::kGiven;
      set_classes({make_class("1"), make_class(positive_)});
    } else {
      throw usage_error(fmt::format("rows are used as they are read: name both classes, not only '{}'", positive_));
    }
  } else {
    mode_ = Mode::kFound;
  }
}

/// REQUIRES: two classes, negative first unless `positive_` says otherwise.
void LabelSettler::set_classes(std::vector<Class> known) {
  if (!positive_.empty() && positive_ != known[1].name) {
    if (positive_ != known[0].name) {
      throw usage_error(fmt::format("there is no class '{}': the classes are '{}' and '{}'", positive_, known[0].name,
                                    known[1].name));
    }
    std::swap(known[0], known[1]);
  }
  classes_ = {known[0].name, known[1].name};
  known_ = std::move(known);
}

std::size_t LabelSettler::place_of(const Class& label, std::int64_t row) {
  for (std::size_t k = 0; k < known_.size(); ++k) {
    if (known_[k].name == label.name) return k;
  }
  return meet(label, row);
}

/// A class that isn't known yet.
std::size_t LabelSettler::meet(const Class& label, std::int64_t row) {
  if (mode_ == Mode::kFound && known_.size() < 2) {
    known_.push_back(label);
    return known_.size() - 1;
  }
  if (mode_ == Mode::kFound) {
    throw LabelError{row, fmt::format("expected two classes, found a third: '{}' after '{}' and '{}'", label.name,
                                      known_[0].name, known_[1].name)};
  }
  if (mode_ == Mode::kGiven) {
    throw LabelError{
        row, fmt::format("expected the label '{}' or '{}', found '{}'", known_[0].name, known_[1].name, label.name)};
  }
  if (label.is_number && label.number == 0 && !negative_met_) {
    known_[0] = label;
    classes_[0] = label.name;
    negative_met_ = true;
    return 0;
  }
  throw LabelError{row,
                   fmt::format("expected the label '{}' or '1', found '{}' (rows are used as they are read: name the "
                               "two classes beforehand)",
                               negative_met_ ? known_[0].name : "-1' or '0", label.name)};
}

void LabelSettler::take_numbers(std::span<double> label) {
  for (std::size_t i = 0; i < label.size(); ++i) {
    std::size_t place = known_.size();
    for (std::size_t k = 0; k < known_.size(); ++k) {
      if (known_[k].is_number && known_[k].number == label[i]) place = k;
    }
    if (place == known_.size()) {
      place = meet({number_name(label[i]), label[i], true}, static_cast<std::int64_t>(i));
    }
    negative_met_ = negative_met_ || place == 0;
    label[i] = mark_[place];
  }
}

void LabelSettler::take_words(std::span<double> label, const std::vector<std::string>& words) {
  std::vector<int> place(words.size(), -1);
  for (std::size_t i = 0; i < label.size(); ++i) {
    const auto word = static_cast<std::size_t>(label[i]);
    if (place[word] < 0) {
      place[word] = static_cast<int>(place_of(make_class(words[word]), static_cast<std::int64_t>(i)));
      negative_met_ = negative_met_ || place[word] == 0;
    }
    label[i] = mark_[place[word]];
  }
}

void LabelSettler::take(ParsedPage& parsed) {
  const std::span<double> label = parsed.page.label;
  if (mode_ == Mode::kNone) {
    std::fill(label.begin(), label.end(), 0.0);
  } else if (mode_ == Mode::kTargets) {
    if (!parsed.label_words.empty() && !label.empty()) {
      throw LabelError{0, fmt::format("expected numbers as labels, found '{}'", parsed.label_words[0])};
    }
  } else if (parsed.label_words.empty()) {
    take_numbers(label);
  } else {
    take_words(label, parsed.label_words);
  }
}

/// Where one class was met only, the other is known if it is one of −1, 0 and 1, or if it is the positive one.
void LabelSettler::complete_found(const std::string& name) {
  if (known_.empty()) throw Error(Place{name, 0, 0}, "there are no rows");
  if (known_.size() == 2) return;
  const Class& only = known_[0];
  if (!positive_.empty() && positive_ != only.name) {
    known_.push_back(make_class(positive_));
  } else if (only.is_number && (only.number == -1 || only.number == 0 || only.number == 1)) {
    known_.push_back(make_class(only.number == 1 ? "-1" : "1"));
  } else {
    throw Error(Place{name, 0, 0},
                fmt::format("expected two classes, found '{}' in every row: name both classes", only.name));
  }
}

void LabelSettler::finish(std::span<Page> pages, const std::string& name) {
  if (mode_ != Mode::kFound) return;
  complete_found(name);
  const std::string first = known_[0].name;
  std::vector<Class> ordered = known_;
  const bool numbers = ordered[0].is_number && ordered[1].is_number;
  if (numbers ? ordered[0].number > ordered[1].number : ordered[0].name > ordered[1].name) {
    std::swap(ordered[0], ordered[1]);
  }
  set_classes(std::move(ordered));
  if (classes_[0] == first) return;  // the first class was marked −1, and is negative
  for (Page& page : pages) {
    for (double& label : page.label) label = -label;
  }
}

}  // namespace linsep
