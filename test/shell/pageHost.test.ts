/** The page's side of the desktop app: a port that comes as a window message. */
import { afterEach, expect, test, vi } from 'vitest';
import { BRIDGE, OPEN, PORT } from '../../shared/bridge.ts';
import { ok } from '../../shared/lib/result.ts';
import { serve } from '../../shared/rpc.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** A window with a preload script that answers `connect` as the shell does. */
function desktop() {
  const target = new EventTarget();
  const { port1, port2 } = new MessageChannel();
  serve(
    { info: async () => ok({ title: 'here' }), calls: () => new Promise(() => {}) },
    {
      send: (message) => port1.postMessage(message),
      listen: (handler) => {
        port1.onmessage = ({ data }: MessageEvent<unknown>) => handler(data);
      },
    },
  );
  const tell = (data: unknown, more: object = {}) =>
    target.dispatchEvent(
      Object.assign(new Event('message'), { source: target, data, ports: [], ...more }),
    );
  const connect = () => {
    tell(PORT, { source: null, ports: [port1] }); // from another frame
    tell('something else', { ports: [port1] });
    tell(PORT, { ports: [port2] });
  };
  const pathOf = (file: { readonly path?: string }) => file.path ?? '';
  vi.stubGlobal('window', Object.assign(target, { [BRIDGE]: { connect, pathOf } }));
  return { tell, end: () => port1.close() };
}

test('questions go over the port; when it closes they are not left waiting', async () => {
  const { end } = desktop();
  const { connectHost, where } = await import('../../renderer/host.ts');
  expect(where).toBe('desktop');
  const host = await connectHost();
  expect(await host.info({ path: 'x' })).toEqual(ok({ title: 'here' }));
  const waiting = host.calls({ path: 'x' });
  end();
  expect(await waiting).toMatchObject({ ok: false, error: { code: 'host-lost' } });
  expect(await host.info({ path: 'x' })).toMatchObject({ error: { code: 'host-lost' } });
});

test('dropped files have their own path; files from outside are heard until one stops', async () => {
  const { tell } = desktop();
  const { onOpen, openDropped } = await import('../../renderer/host.ts');
  expect(await openDropped({ path: '/a', name: 'a' } as unknown as File)).toEqual(ok('/a'));
  expect(await openDropped({ name: 'pasted' } as unknown as File)).toMatchObject({
    error: { code: 'no-path' },
  });
  const heard: string[] = [];
  const stop = onOpen((path) => heard.push(path));
  tell({ type: OPEN, path: '/b' });
  tell({ type: OPEN, path: '/from another frame' }, { source: null });
  tell({ type: OPEN, path: 7 });
  tell({ type: 'other', path: '/c' });
  tell(null);
  stop();
  tell({ type: OPEN, path: '/d' });
  expect(heard).toEqual(['/b']);
});
