import { z } from "zod";
import { refuse, type ToolContext, toolsOf } from "../../define.ts";
import { messageRow, messageRows, mustBePicture, parameters } from "./shapes.ts";
import {
  chatOf,
  inWords,
  type LightTalkState,
  lookUp,
  type Message,
  mustBePrivileged,
  mustNotBeBlocked,
  nameOf,
} from "./state.ts";

const tool = toolsOf<LightTalkState>();

/** Tools about the conversation with one person. */
export const chatTools = [
  tool({
    name: "send_message",
    text: "Sends a text to a contact, or to yourself.",
    input: { uid: parameters.uidOrMine, content: parameters.text },
    output: z.string(),
    effect: "write",
    reaches: true,
    run: (context, { uid, content }) => {
      send(context, uid, "text", content);
      return `You have successfully sent one message to ${nameOf(context.state, uid)} (${uid})`;
    },
  }),
  tool({
    name: "send_image",
    text: "Sends a picture, given by its public web address, to a contact, or to yourself.",
    input: { uid: parameters.uidOrMine, img_url: parameters.imgUrl },
    output: z.string(),
    effect: "write",
    reaches: true,
    run: (context, { uid, img_url }) => {
      mustBePicture(img_url);
      send(context, uid, "image", img_url);
      return `You have successfully sent one image to ${nameOf(context.state, uid)} (${uid})`;
    },
  }),
  tool({
    name: "get_chat_history",
    text: "All messages of the conversation with a contact, or with yourself, oldest first. Reading leaves the unread flag as it is.",
    input: { uid: parameters.uidOrMine },
    output: z.array(messageRow),
    run: ({ state }, { uid }) => messageRows(chatOf(state, uid).messages),
  }),
  tool({
    name: "delete_message",
    text: "Removes one message from a conversation for good.",
    input: { uid: parameters.uidOrMine, mid: z.string().describe('MID of the message: "msg_" and 22 characters') },
    output: z.string(),
    effect: "destroy",
    run: ({ state }, { uid, mid }) => {
      const { messages } = chatOf(state, uid);
      if (lookUp(messages, mid) === undefined) {
        refuse(`Message with MID (${mid}) in the chat with ${inWords(state, uid)} not found`);
      }
      delete messages[mid];
      return `You have successfully deleted the message (MID=${mid}) in the chat with ${inWords(state, uid)}`;
    },
  }),
  tool({
    name: "delete_chat_history",
    text: "Removes all messages of a conversation for good. The contact stays.",
    input: { uid: parameters.uidOrMine },
    output: z.string(),
    effect: "destroy",
    idempotent: true,
    // Decision: a conversation without messages has nothing unread.
    run: ({ state }, { uid }) => {
      const chat = chatOf(state, uid);
      chat.messages = {};
      chat.unread = false;
      return `You have successfully deleted the chat history with ${inWords(state, uid)}`;
    },
  }),
  tool({
    name: "mark_as_read",
    text: "Clears the unread flag of the conversation with a contact.",
    input: { uid: parameters.uidOrMine },
    output: z.string(),
    effect: "write",
    idempotent: true,
    run: ({ state }, { uid }) => {
      chatOf(state, uid).unread = false;
      return `You have successfully marked the messages from ${inWords(state, uid)} as read`;
    },
  }),
  tool({
    name: "mark_as_unread",
    text: "Sets the unread flag of the conversation with a contact.",
    input: { uid: parameters.uidOrMine },
    output: z.string(),
    effect: "write",
    idempotent: true,
    run: ({ state }, { uid }) => {
      chatOf(state, uid).unread = true;
      return `You have successfully marked the messages from ${inWords(state, uid)} as unread`;
    },
  }),
];

function send(context: ToolContext<LightTalkState>, uid: string, kind: Message["kind"], content: string): void {
  const { state } = context;
  const chat = chatOf(state, uid);
  mustNotBeBlocked(state, uid);
  mustBePrivileged(state, uid);
  chat.messages[context.mint("msg")] = { from: state.me.uid, kind, content, timestamp: context.now() };
}
