// One tone for a new incident, by its priority. Audio needs a gesture first: signing in is one.
import { signal } from '@preact/signals';

export const wanted = signal(localStorage.getItem('catwalk.sound') !== 'off');
export const state = signal<'on' | 'off' | 'suspended'>('suspended');
/** What rang in this tab, for the health page: id and how often. */
export const rang = signal<Map<string, number>>(new Map());

let context: AudioContext | null = null;
const sounding = new Map<string, OscillatorNode[]>();

function settle(): void {
  state.value = !wanted.value ? 'off' : context?.state === 'running' ? 'on' : 'suspended';
}

/** To be called from a gesture. */
export function wake(): void {
  if (!wanted.value) return settle();
  context ??= new AudioContext();
  context.onstatechange = settle;
  if (context.state !== 'running') void context.resume().then(settle, settle);
  settle();
}

export function toggle(): void {
  wanted.value = !wanted.value;
  localStorage.setItem('catwalk.sound', wanted.value ? 'on' : 'off');
  if (wanted.value) wake();
  settle();
}

for (const gesture of ['pointerdown', 'keydown']) addEventListener(gesture, () => context?.state !== 'running' && wake(), { passive: true });

const TONES: Record<number, { pitch: number; beeps: number; length: number }> = {
  1: { pitch: 880, beeps: 3, length: 0.14 },
  2: { pitch: 587, beeps: 2, length: 0.16 },
};

export function ring(id: string, priority: number): void {
  const tone = TONES[priority];
  if (tone === undefined || state.value !== 'on' || context === null) return;
  const nodes: OscillatorNode[] = [];
  for (let beep = 0; beep < tone.beeps; beep += 1) {
    const from = context.currentTime + beep * tone.length * 1.6;
    const voice = context.createOscillator();
    const gain = context.createGain();
    voice.frequency.value = tone.pitch;
    gain.gain.setValueAtTime(0, from);
    gain.gain.linearRampToValueAtTime(0.22, from + 0.01);
    gain.gain.setValueAtTime(0.22, from + tone.length - 0.03);
    gain.gain.linearRampToValueAtTime(0, from + tone.length);
    voice.connect(gain).connect(context.destination);
    voice.start(from);
    voice.stop(from + tone.length);
    nodes.push(voice);
  }
  sounding.set(id, nodes);
  nodes.at(-1)?.addEventListener('ended', () => sounding.delete(id));
  const next = new Map(rang.value);
  next.set(id, (next.get(id) ?? 0) + 1);
  rang.value = next;
}

export function hush(id: string): void {
  for (const voice of sounding.get(id) ?? []) voice.stop();
  sounding.delete(id);
}
