#include <gtest/gtest.h>

#include "linsep/table/fit.h"

namespace linsep {
namespace {

TEST(AccountText, IsAlignedLines) {
  TableAccount account;
  account.file = "mail.csv";
  account.rows = account.looked_at = 5572;
  account.columns = {{"label", "label", "by its name", "ham (negative, 4,825), spam (positive, 747)"},
                     {"size", "number", "", "2 … 910, 3 missing; divided by 59.9; indicator"},
                     {"größe", "category", "", "812 values"},
                     {"id", "left out", "a different value in every row", ""}};
  account.features = 16696;
  EXPECT_EQ(account_text(account),
            "mail.csv: 5,572 rows, header, ','; looked at all rows\n"
            "  label  label     ham (negative, 4,825), spam (positive, 747)  by its name\n"
            "  size   number    2 … 910, 3 missing; divided by 59.9; indicator\n"
            "  größe  category  812 values\n"
            "  id     left out  a different value in every row\n"
            "16,696 features\n");
}

TEST(AccountText, SaysWhatIsUnusual) {
  TableAccount account;
  account.file = "a.tsv";
  account.rows = 20000;
  account.looked_at = 11264;
  account.header = false;
  account.delimiter = '\t';
  account.decimal = ',';
  account.features = 1;
  std::string name(100, 'x');
  name += '\n';
  account.columns = {{name, "number", "", ""}};
  EXPECT_EQ(account_text(account),
            "a.tsv: 20,000 rows, no header, tab; decimal ','; looked at the first 11,264 rows\n  " +
                std::string(59, 'x') + "…  number\n1 feature\n");
}

}  // namespace
}  // namespace linsep
