/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Reads the constant data of an image into flow_data.h, in two steps: graphs
 * need much memory, so that counts may be added to the cells before.
 */
#ifndef ARCLINE_FLOW_READ_H
#define ARCLINE_FLOW_READ_H

#include "counts/flow_data.h"

/* Both return 0, or -1 with *err set, as flow_data_add() does. */

/** Find the constant data of an image, which becomes the next of flow->images,
 * and make its cells. */
int flow_read_begin(struct flow_data *flow, const struct image *image,
                    struct err *err);

/** Read the graphs of the last image that was begun. */
int flow_read_graphs(struct flow_data *flow, const struct image *image,
                     struct err *err);

#endif
