import type { Random } from "../../base/random.ts";

/** What the slots in braces of {@link sentences} stand for. */
const slots = {
  when: [
    "tonight",
    "tomorrow morning",
    "on Monday",
    "on Tuesday evening",
    "on Wednesday",
    "on Thursday after six",
    "on Friday",
    "on Saturday",
    "on Sunday afternoon",
    "next week",
    "after the holidays",
    "at the end of the month",
  ],
  place: [
    "the bakery on the corner",
    "the central station",
    "the city library",
    "the climbing hall",
    "the ferry pier",
    "the new ramen bar",
    "the office lobby",
    "the old town square",
    "the swimming pool",
    "the tennis courts",
  ],
  thing: [
    "blue umbrella",
    "camera charger",
    "cordless drill",
    "folding ladder",
    "guitar case",
    "road map",
    "sewing machine",
    "spare key",
    "tent",
    "travel adapter",
  ],
  paper: [
    "budget sheet",
    "guest list",
    "insurance form",
    "lease",
    "meeting notes",
    "packing list",
    "recipe",
    "seating plan",
    "slides",
    "travel plan",
  ],
  food: [
    "apple cake",
    "bean soup",
    "dumplings",
    "flatbread",
    "lentil curry",
    "lemon tart",
    "mushroom risotto",
    "pumpkin pie",
    "rice salad",
    "spring rolls",
  ],
  event: [
    "birthday",
    "concert",
    "dinner",
    "farewell",
    "hike",
    "interview",
    "match",
    "meeting",
    "rehearsal",
    "workshop",
  ],
} as const;

type Slot = keyof typeof slots;

/** Things people write each other. */
const sentences = [
  "Are you coming to the {event} {when}?",
  "Could you bring the {thing} {when}?",
  "Could you send me the {paper} before the {event}?",
  "Did you see my {thing}? I think I left it at {place}.",
  "Do you still have the {paper} from the last {event}?",
  "I am at {place}, where are you?",
  "I can drop off the {thing} {when} if that helps.",
  "I made {food} for ten people, do you want some {when}?",
  "I will be late for the {event}, please start without me.",
  "Let us meet at {place} {when}.",
  "My train is delayed, can we do the {event} {when} instead?",
  "Please do not tell anyone about the {event} {when} yet.",
  "Shall I book a table near {place} {when}?",
  "The {event} {when} is off, I will tell you why later.",
  "The {event} moved to {place}, same time.",
  "Thanks for the {food}, everyone asked for the recipe!",
  "Who is driving to the {event} {when}?",
  "Would you read the {paper} once more {when}?",
  "You left your {thing} at {place}, I have it now.",
  "I found a good {paper} for the {event}, have a look.",
  "What should I cook {when}, {food} or something else?",
  "Can I borrow your {thing} {when}?",
] as const;

/** Short answers. */
const answers = [
  "Sure, no problem.",
  "Sounds good to me!",
  "Let me check and get back to you.",
  "Sorry, I can't make it.",
  "On my way.",
  "Great, see you there.",
  "Thank you so much!",
  "Not sure yet, ask me later.",
  "Done, have a look.",
  "Fine with me.",
  "I had forgotten about that, thanks.",
  "Can we talk on the phone?",
] as const;

const greetings = ["", "", "", "Hey! ", "Hi! ", "Good morning! ", "One more thing. "] as const;

/** A message that opens a topic; several thousand different ones exist. */
export function drawMessage(source: Random): string {
  return `${source.pick(greetings)}${fillSlots(source, source.pick(sentences))}`;
}

/** A short answer, or a message as of {@link drawMessage}. */
export function drawReply(source: Random): string {
  return source.chance(0.5) ? source.pick(answers) : drawMessage(source);
}

/** What people write under someone's post. */
export const remarksUnderPosts = [
  "Beautiful, where is that?",
  "Count me in next time!",
  "Congratulations!",
  "Ha, I thought of you yesterday.",
  "How long did that take you?",
  "I am so jealous right now.",
  "Looks delicious.",
  "Save some for me!",
  "Tell me everything when we meet.",
  "That was a great day.",
  "The light in this picture is perfect.",
  "We should do this again soon.",
  "Well done, you earned it.",
  "What a coincidence, I was there last week.",
  "You make it look easy.",
  "Your best one so far.",
] as const;

/** What people answer to a comment. */
export const answersToComments = [
  "Thank you!",
  "Next month, promise.",
  "Ask me in private :)",
  "It took the whole weekend.",
  "You are welcome any time.",
  "I will send you the details.",
  "Ha, exactly!",
  "Not as hard as it looks.",
] as const;

/** Web address of a made-up picture. */
export function drawPicture(source: Random): string {
  return `https://pictures.example/${source.pick(["album", "camera", "shared", "trip"])}/${source.int(1000, 9999)}.jpg`;
}

function fillSlots(source: Random, sentence: string): string {
  return sentence.replace(/\{(\w+)\}/g, (_, slot: Slot) => source.pick(slots[slot]));
}
