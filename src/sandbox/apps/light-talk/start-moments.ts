import { drawId, type Random } from "../../../base/random.ts";
import { formatTime } from "../../clock.ts";
import type { StartContext } from "../../define.ts";
import { answersToComments, drawPicture, remarksUnderPosts } from "../../knowledge/messages.ts";
import { drawPost } from "../../knowledge/moments.ts";
import { ipChoices } from "../../knowledge/places.ts";
import type { Comment, Contact, Moment } from "./state.ts";

/** Those whose posts and messages a start state has. */
export interface Circle {
  readonly me: string;
  /** Where the holder is. */
  readonly ip: string;
  /** The contacts. */
  readonly uids: readonly string[];
  readonly contacts: Readonly<Record<string, Contact>>;
  readonly startMs: number;
}

/** What the holder has done under a person's newest post, whatever else is drawn. */
type Trace = "comment" | "reply" | "like" | null;

const TRACES: readonly Trace[] = ["comment", "comment", "reply", "reply", "like", "like"];
const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;

/** The posts of the holder (2 to 5) and of the contacts (up to 6 each), from up to four years back. */
export function drawMoments(random: StartContext["random"], circle: Circle): Record<string, Moment> {
  const { me, uids, contacts } = circle;
  const source = random("moments");
  const moments: Record<string, Moment> = {};
  drawMomentsOf(moments, random(`moments/${me}`), circle, me, source.int(2, 5), null);
  source.sample(uids, uids.length).forEach((uid, place) => {
    const busy = place < 12 || contacts[uid]?.restricted === true;
    const count = busy ? source.int(2, 6) : source.int(0, 3);
    drawMomentsOf(moments, random(`moments/${uid}`), circle, uid, count, TRACES[place] ?? null);
  });
  return moments;
}

function drawMomentsOf(
  moments: Record<string, Moment>,
  source: Random,
  circle: Circle,
  owner: string,
  count: number,
  trace: Trace,
): void {
  const { me, uids, startMs } = circle;
  const home = owner === me ? circle.ip : source.pick(ipChoices);
  const others = uids.filter((uid) => uid !== owner);
  let ms = startMs - drawSpan(source, 3 * HOUR, 25 * DAY);
  for (let i = 0; i < count; i++) {
    const comments = drawComments(source, circle, owner, ms);
    const likes = source.sample(others, source.int(0, 5));
    const newestTrace = i === 0 ? trace : null;
    if (owner !== me && (newestTrace === "like" || source.chance(0.12))) likes.push(me);
    if (newestTrace === "comment" || newestTrace === "reply")
      leaveTrace(source, comments, newestTrace, me, owner, startMs);
    moments[drawId(source, "mo")] = {
      owner,
      content: drawPost(source),
      timestamp: formatTime(ms),
      ip: source.chance(0.8) ? home : source.pick(ipChoices),
      img_urls: Array.from({ length: source.chance(0.5) ? source.int(1, 3) : 0 }, () => drawPicture(source)),
      likes,
      comments,
    };
    ms -= drawSpan(source, DAY, (source.chance(0.2) ? 400 : 60) * DAY);
  }
}

/** Up to three comments within two days of the post, some with an answer of the post's owner. */
function drawComments(source: Random, circle: Circle, owner: string, postMs: number): Record<string, Comment> {
  const comments: Record<string, Comment> = {};
  const lastMs = Math.min(postMs + 2 * DAY, circle.startMs - HOUR);
  const writers = circle.uids.filter((uid) => uid !== owner);
  const count = Math.max(0, source.int(-1, 3));
  let ms = postMs;
  for (const from of source.sample(writers, count)) {
    ms += drawSpan(source, 0, lastMs - ms);
    const replies: Record<string, Comment> = {};
    if (source.chance(0.3)) {
      replies[drawId(source, "com")] = comment(
        owner,
        source.pick(answersToComments),
        ms + drawSpan(source, 0, lastMs - ms),
      );
    }
    comments[drawId(source, "com")] = { ...comment(from, source.pick(remarksUnderPosts), ms), replies };
  }
  return comments;
}

/** Adds a comment of the holder, or a comment of the post's owner that the holder has answered, in the last hour. */
function leaveTrace(
  source: Random,
  comments: Record<string, Comment>,
  trace: "comment" | "reply",
  me: string,
  owner: string,
  startMs: number,
): void {
  const ms = startMs - drawSpan(source, SECOND, HOUR / 2);
  const mine = comment(me, source.pick(trace === "reply" ? answersToComments : remarksUnderPosts), ms);
  if (trace === "comment") {
    comments[drawId(source, "com")] = mine;
    return;
  }
  const asked = comment(owner, "Who can guess where I am going next?", ms - HOUR / 4);
  comments[drawId(source, "com")] = { ...asked, replies: { [drawId(source, "com")]: mine } };
}

function comment(from: string, content: string, ms: number): Comment {
  return { from, content, timestamp: formatTime(ms), replies: {} };
}

/** A length of time in milliseconds, drawn to the second: wider ranges of whole numbers are slow to draw from. */
function drawSpan(source: Random, low: number, high: number): number {
  return source.int(Math.ceil(low / SECOND), Math.floor(high / SECOND)) * SECOND;
}
