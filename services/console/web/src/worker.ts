// One stream for all tabs.
import { Feed } from './base/feed';

interface Tab {
  port: MessagePort;
  audio: boolean;
  seen: number;
}

const tabs = new Set<Tab>();
let feed: Feed | null = null;

function tell(message: unknown): void {
  for (const tab of tabs) tab.port.postMessage(message);
}

function begin(): Feed {
  return new Feed({
    batch: (batch) => tell({ type: 'batch', batch }),
    link: (link) => tell({ type: 'link', link: { ...link, heardAt: undefined } }),
    // One tab sounds: one that can, the last that was looked at.
    ring: (incident) => ring(incident.id, incident.priority),
    hush: (id) => tell({ type: 'hush', id }),
    signedOut: () => {
      feed = null;
      tell({ type: 'signed out' });
    },
  });
}

// A tab that does not hear this any more knows that it is not live.
setInterval(() => tell({ type: 'pulse' }), 1_000);

const unheard = new Map<string, ReturnType<typeof setTimeout>>();

/** How long a tab has to sound, and how long its word of it may take: two tones are worse than a late one. */
const ANSWER_MS = 400;
const WORD_MS = 1_500;

/** A tab that is gone may not have said so, and one that is busy comes too late: then the next one sounds. */
function ring(id: string, priority: number, asked: ReadonlySet<Tab> = new Set()): void {
  const able = [...tabs].filter((tab) => tab.audio && !asked.has(tab)).sort((a, b) => b.seen - a.seen);
  const first = able[0];
  if (first === undefined) return;
  first.port.postMessage({ type: 'ring', id, priority, until: Date.now() + ANSWER_MS });
  unheard.set(id, setTimeout(() => ring(id, priority, new Set([...asked, first])), WORD_MS));
}

(self as unknown as { onconnect: (event: MessageEvent) => void }).onconnect = (event) => {
  const port = event.ports[0];
  if (port === undefined) return;
  const tab: Tab = { port, audio: false, seen: 0 };
  port.onmessage = ({ data }) => {
    switch (data.type) {
      case 'begin':
        tabs.add(tab);
        if (feed === null) feed = begin();
        else {
          port.postMessage({ type: 'link', link: { ...feed.link, heardAt: undefined } });
          feed.tell((batch) => port.postMessage({ type: 'batch', batch }));
        }
        break;
      case 'audio':
        tab.audio = data.on;
        break;
      case 'rang':
        clearTimeout(unheard.get(data.id));
        unheard.delete(data.id);
        break;
      case 'seen':
        tab.seen = Date.now();
        break;
      case 'take':
        feed?.take(data.incident);
        break;
      case 'end':
        tabs.delete(tab);
        if (tabs.size === 0 || data.all) {
          feed?.stop();
          feed = null;
        }
        break;
    }
  };
};
