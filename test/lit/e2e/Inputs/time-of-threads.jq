# All, parser, drawer: profiles of phases.c.
def total(name): ([.functions[] | select(.name == name) | .total.time] + [0])[0] // 0;
def near(a; b): (a - b) * (a - b) < 0.0144; # 0.12 s
.[0] as $all | .[1] as $parser | .[2] as $drawer
| near($parser | total("parse"); 0.4) and near($drawer | total("draw"); 0.4)
  and ($parser | total("draw") == 0) and ($drawer | total("parse") == 0)
  and near($all | total("parse"); $parser | total("parse"))
  and ($parser.threads | length == 1) and ($all.threads | length >= 2)
