#include "linsep/picture/document.h"
