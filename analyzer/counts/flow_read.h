/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Reads the constant data of an image into flow_data.h, in two steps: graphs
 * need much memory, so that counts may be added to the cells before.
 */
#ifndef ARCLINE_FLOW_READ_H
#define ARCLINE_FLOW_READ_H

#include "counts/flow_data.h"

struct err;
struct image;

/**
 * Find the constant data of an image, which becomes the next of flow->images,
 * and make its cells.
 *
 * flow  before flow_data_solve().
 *
 * Returns 0, or -1 with *err set. An image without constant data is absence: 0,
 * and no functions.
 * Owns:   caller releases *flow, after an error, too; names live as long as the
 *         images are open.
 * Errors: data of another version or damaged, no memory.
 * Source: docs/FORMAT.md, "Constant data".
 */
int flow_read_begin(struct flow_data *flow, const struct image *image,
                    struct err *err);

/** Read the graphs of the last image that was begun. Returns as the above. */
int flow_read_graphs(struct flow_data *flow, const struct image *image,
                     struct err *err);

#endif
