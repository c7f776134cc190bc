import * as book from "./book.js";
import * as card from "./card.js";
import * as hand from "./hand.js";
import {find} from "./html.js";
import * as keys from "./keys.js";
import * as lines from "./lines.js";
import {game, isError, listen, onGame} from "./model.js";
import * as notes from "./notes.js";
import * as problems from "./problems.js";
import * as rooms from "./rooms.js";
import * as rules from "./rules.js";
import * as sheets from "./sheets.js";
import * as sight from "./sight.js";
import * as table from "./table.js";
import * as tools from "./tools.js";
import * as touch from "./touch.js";
import {restore} from "./view.js";
import * as wall from "./wall.js";

const UNREAD = ["yaml", "file", "template", "bounds", "css", "font"];
let link = "live";

// Keep the content, and show the errors that hold up the rest above it.
function banner() {
  const stale = Object.values(game.faces).filter((face) => ["older", "none", "draft"].includes(face.state)).length;
  const [first, ...rest] = game.problems.filter((p) => isError(p) && !p.card && UNREAD.includes(p.kind));
  const place = find("banner");
  let text = "";
  if (link === "lost") text = "The preview has ended. This is what it showed last; when it is started again, this page goes on.";
  else if (link === "away") text = "The game's folder is gone. This is what it contained.";
  else if (first && (stale || !game.whole))
    text = `${first.path}${first.line ? `:${first.line}` : ""}: ${first.message}${rest.length ? ` – and ${rest.length} more` : ""}`;
  place.textContent = text;
  place.hidden = !text;
  const waiting = Object.values(game.faces).filter((face) => face.state === "waiting").length;
  find("pulse").textContent = waiting ? `${waiting} to set` : "";
}

await restore();
sight.start();
wall.start();
rooms.addRoom("wall", "W", "Wall", wall.enter);
sheets.start();
book.start();
table.start();
hand.start();
tools.start();
notes.start();
problems.start();
rules.start();
lines.start();
touch.start();
card.start();
keys.start();
rooms.start();
onGame(banner);
listen((state) => { if (state !== link) { link = state; banner(); } });
document.documentElement.dataset.ready = "";
