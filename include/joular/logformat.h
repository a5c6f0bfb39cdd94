/* What reader and writer of the power log have to agree on, beside joular-power-log(5). */
#ifndef JOULAR_LOGFORMAT_H
#define JOULAR_LOGFORMAT_H

#define POWER_LOG_MAGIC "#joular-power-log"

#endif
