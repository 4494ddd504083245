#include "verb.h"

namespace linsep::app {

Verb train_verb();
Verb predict_verb();
Verb evaluate_verb();
Verb certify_verb();
Verb logit_verb();
Verb verify_verb();
Verb digest_verb();
Verb leaves_verb();
Verb inspect_verb();
Verb convert_verb();
Verb columns_verb();
Verb encode_verb();
Verb explain_verb();
Verb export_verb();
Verb report_verb();
Verb plot_verb();
Verb generate_verb();
Verb play_verb();
Verb completion_verb();
Verb manual_verb();

const std::vector<Verb>& verbs() {
  static const std::vector<Verb> kVerbs = {
      train_verb(),  predict_verb(), evaluate_verb(), certify_verb(), logit_verb(),      verify_verb(),  digest_verb(),
      leaves_verb(), inspect_verb(), convert_verb(),  columns_verb(), encode_verb(),     explain_verb(), export_verb(),
      report_verb(), plot_verb(),    generate_verb(), play_verb(),    completion_verb(), manual_verb(),
  };
  return kVerbs;
}

}  // namespace linsep::app
