// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A deterministic workload for Box2D: a heap of boxes and balls falls down.
///
///   box2d_workload [SCALE]    SCALE steps of the world
#include <cstdio>
#include <cstdlib>

#include "box2d/box2d.h"

static void drop(b2World &world, const b2Shape &shape, float x, float y) {
  b2BodyDef body;
  body.type = b2_dynamicBody;
  body.position.Set(x, y);
  world.CreateBody(&body)->CreateFixture(&shape, 1.0F);
}

int main(int argc, char **argv) {
  const int scale = argc > 1 ? std::atoi(argv[1]) : 1;
  b2World world(b2Vec2(0.0F, -10.0F));
  b2EdgeShape floor;
  floor.SetTwoSided(b2Vec2(-40.0F, 0.0F), b2Vec2(40.0F, 0.0F));
  b2BodyDef ground;
  world.CreateBody(&ground)->CreateFixture(&floor, 0.0F);
  b2PolygonShape box;
  box.SetAsBox(0.5F, 0.4F);
  b2CircleShape ball;
  ball.m_radius = 0.45F;
  for (int row = 0; row < 16; row++)
    for (int column = 0; column < 16; column++)
      drop(world, (row + column) % 3 ? static_cast<b2Shape &>(box) : ball,
           static_cast<float>(column) - 8.0F +
               0.3F * static_cast<float>(row % 2),
           1.0F + static_cast<float>(row));
  int contacts = 0;
  for (int i = 0; i < scale; i++) {
    world.Step(1.0F / 60.0F, 8, 3);
    contacts += world.GetContactCount();
  }
  float sum = 0;
  for (const b2Body *body = world.GetBodyList(); body; body = body->GetNext())
    sum += body->GetPosition().x + body->GetPosition().y;
  std::printf("%d contacts, %.3f\n", contacts, static_cast<double>(sum));
  return 0;
}
