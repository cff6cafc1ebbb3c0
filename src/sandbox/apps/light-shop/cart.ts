import { z } from "zod";
import { refuse, toolsOf } from "../../define.ts";
import { parameters } from "./browse.ts";
import { cartLineOf, cents, itemOf, type LightShopState, oldestFirst, transactionOf } from "./state.ts";

const tool = toolsOf<LightShopState>();

const cartRow = z.strictObject({ caid: z.string(), sid: z.string(), tid: z.string(), count: z.int() });
const transactionRow = z.strictObject({
  trid: z.string(),
  timestamp: z.string(),
  total: z.number(),
  lines: z.array(
    z.strictObject({
      sid: z.string(),
      tid: z.string(),
      name: z.string(),
      count: z.int(),
      price: z.number().describe("price of one piece at that time"),
    }),
  ),
});
const trid = z.string().describe('TRID of the transaction: "trans_" and 22 characters');

/** Tools around the cart and the payment. */
const buyingTools = [
  tool({
    name: "add_to_cart",
    text: "Puts an item into the cart. What is in the cart stays there until it is deleted or bought.",
    input: { ...parameters, cnt: z.int().min(1).describe("how many pieces") },
    output: z.string(),
    effect: "write",
    run: ({ state, mint }, { sid, tid, cnt }) => {
      const { name, stock } = itemOf(state, sid, tid);
      const line = Object.values(state.cart).find((entry) => entry.tid === tid);
      const count = (line?.count ?? 0) + cnt;
      if (count > stock) {
        const has = line === undefined ? "" : ` and your cart has ${line.count} already`;
        refuse(`There are only ${stock} of '${name}' (ID: ${tid}) left${has}`);
      }
      // Decision: an item has one line in the cart, so that two ways of adding ten end alike.
      if (line === undefined) state.cart[mint("cart")] = { sid, tid, count };
      else line.count = count;
      return `Added ${cnt} x '${name}' (ID: ${tid}) to your cart.`;
    },
  }),
  tool({
    name: "get_cart_summary",
    text: "All lines of the cart with their ids, items and counts.",
    output: z.array(cartRow),
    run: ({ state }) => Object.entries(state.cart).map(([caid, line]) => ({ caid, ...line })),
  }),
  tool({
    name: "delete_item_in_cart",
    text: "Takes a line out of the cart.",
    input: { caid: z.string().describe('CAID of the line: "cart_" and 22 characters, from get_cart_summary') },
    output: z.string(),
    effect: "destroy",
    run: ({ state }, { caid }) => {
      const { tid, count } = cartLineOf(state, caid);
      delete state.cart[caid];
      return `Removed ${count} x '${state.items[tid]?.name ?? tid}' (CAID: ${caid}) from your cart.`;
    },
  }),
  tool({
    name: "check_balance",
    text: "Money in the account.",
    output: z.number(),
    run: ({ state }) => state.balance,
  }),
  tool({
    name: "wait_payment_password",
    text: "Waits until the user has entered the payment password, which a checkout needs. It is good for one checkout.",
    output: z.string(),
    effect: "write",
    idempotent: true,
    run: ({ state }) => {
      state.password.entered = true;
      return "The user has entered the correct payment password.";
    },
  }),
  tool({
    name: "checkout_all",
    text: "Buys all that is in the cart and pays for it. It needs the payment password first.",
    output: z.string(),
    effect: "write",
    run: ({ state, mint, now }) => {
      const lines = Object.values(state.cart).map(({ sid, tid, count }) => {
        const item = itemOf(state, sid, tid);
        // Decision: a checkout buys everything or nothing.
        if (item.stock < count)
          refuse(`There are only ${item.stock} of '${item.name}' (ID: ${tid}) left, your cart has ${count}`);
        return { sid, tid, count, price: item.price };
      });
      if (lines.length === 0) refuse("Your cart is empty");
      // Decision: a password pays one checkout, and a checkout that is refused does not use it up.
      if (!state.password.entered) refuse("Please enter the payment password first");
      const total = cents(lines.reduce((sum, { count, price }) => sum + count * price, 0));
      if (total > state.balance) refuse(`Your balance of ${state.balance} is not enough, the cart costs ${total}`);
      for (const { sid, tid, count } of lines) itemOf(state, sid, tid).stock -= count;
      const id = mint("trans");
      state.balance = cents(state.balance - total);
      state.transactions[id] = { timestamp: now(), total, lines };
      state.cart = {};
      state.password.entered = false;
      return `Checkout successful. Transaction ID: ${id}.`;
    },
  }),
];

/** Tools around past checkouts. */
const historyTools = [
  tool({
    name: "get_trans_history",
    text: "All past transactions, oldest first.",
    output: z.array(transactionRow),
    run: ({ state }) => oldestFirst(state).map(([id]) => transactionRowOf(state, id)),
  }),
  tool({
    name: "get_trans_info",
    text: "One past transaction.",
    input: { trid },
    output: transactionRow,
    run: ({ state }, input) => transactionRowOf(state, input.trid),
  }),
  tool({
    name: "delete_trans_history",
    text: "Removes a transaction from the history for good. Nothing is paid back.",
    input: { trid },
    output: z.string(),
    effect: "destroy",
    run: ({ state }, input) => {
      transactionOf(state, input.trid);
      delete state.transactions[input.trid];
      return `Removed the transaction (TRID: ${input.trid}) from your history.`;
    },
  }),
];

/** All tools about buying. */
export const cartTools = [...buyingTools, ...historyTools];

function transactionRowOf(state: LightShopState, id: string): z.output<typeof transactionRow> {
  const { timestamp, total, lines } = transactionOf(state, id);
  return {
    trid: id,
    timestamp,
    total,
    lines: lines.map((line) => ({ ...line, name: state.items[line.tid]?.name ?? "" })),
  };
}
