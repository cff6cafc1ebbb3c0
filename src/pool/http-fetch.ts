/** What {@link watchedFetch} tells. */
export interface StreamWatch {
  /** The stream of a call's answer has ended, and the server gave no event id with which it could be taken up again. */
  onCallStreamEnd: () => void;
}

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Streams for messages of the server that a session may ask for without getting one. */
const MOST_EMPTY_STREAMS = 5;

/**
 * The `fetch` of a Streamable HTTP session, with what the SDK's transport leaves out:
 * - it waits for its time-out when the stream of an answer ends without the answer; here the end is told;
 * - it takes any answer but 405 to its request for a stream of messages for an error or, being 200, for such a stream, which
 *   it then asks for without end; here every answer that is no stream counts as 405, that the server offers none.
 */
export function watchedFetch(watch: StreamWatch): Fetch {
  let streams = 0;
  return async (url, init) => {
    const response = await fetch(url, init);
    if (init?.method === "GET") {
      const resumes = new Headers(init.headers).has("last-event-id");
      if (response.ok && isEventStream(response) && (resumes || ++streams <= MOST_EMPTY_STREAMS)) return response;
      // A redirect is looked at by the transport.
      if (resumes || (response.status >= 300 && response.status < 400) || response.status === 401) return response;
      await response.body?.cancel();
      return new Response(null, { status: 405 });
    }
    if (!response.ok || response.body === null || !isEventStream(response) || !isCall(init?.body)) return response;
    const { status, statusText, headers } = response;
    return new Response(watchedBody(response.body, watch), { status, statusText, headers });
  };
}

function isEventStream(response: Response): boolean {
  return /^\s*text\/event-stream\b/i.test(response.headers.get("content-type") ?? "");
}

function isCall(body: RequestInit["body"]): boolean {
  return typeof body === "string" && /^\{"method":"tools\/call"/.test(body);
}

/** The same bytes; its end, good or bad, is told if no event in it had an id. */
function watchedBody(body: ReadableStream<Uint8Array>, watch: StreamWatch): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let resumable = false;
  let tail = "";
  const ended = () => {
    if (!resumable) watch.onCallStreamEnd();
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          controller.close();
          ended();
          return;
        }
        if (!resumable) {
          const text = tail + decoder.decode(value, { stream: true });
          resumable = /(?:^|[\r\n])id:/.test(text);
          tail = text.slice(-4);
        }
        controller.enqueue(value);
      } catch (thrown) {
        controller.error(thrown);
        ended();
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
