// linsep: linear classification that proves its answer. This header brings all the others.
#pragma once

#include "linsep/batch.h"
#include "linsep/certificate.h"
#include "linsep/certify.h"
#include "linsep/checkpoint.h"
#include "linsep/comm.h"
#include "linsep/engines.h"
#include "linsep/error.h"
#include "linsep/learner.h"
#include "linsep/model.h"
#include "linsep/options.h"
#include "linsep/progress.h"
#include "linsep/read.h"
#include "linsep/select.h"
#include "linsep/source.h"
#include "linsep/train.h"
