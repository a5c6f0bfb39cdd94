/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the reader and the writer of the power log. */
#ifndef JOULAR_LOGFORMAT_H
#define JOULAR_LOGFORMAT_H

#define POWER_LOG_MAGIC "#joular-power-log"

#endif
