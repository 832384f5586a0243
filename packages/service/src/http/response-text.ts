import { STATUS_CODES } from 'node:http';
import { type AnswerContext, answerHeaders } from './answer-headers.ts';
import type { HttpResponse } from './http-message.ts';

/** A complete HTTP/1.1 response as text, for connections without Node’s response object. */
export function responseText(answer: HttpResponse, context: AnswerContext, keepAliveMs = 0): string {
  const headers = answerHeaders(answer, context);
  let text = `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}\r\nDate: ${dateNow()}\r\n`;
  for (let at = 0; at < headers.length; at += 2) text += `${headers[at]}: ${headers[at + 1]}\r\n`;
  if (!context.last) text += `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveMs / 1000}\r\n`;
  return `${text}\r\n${answer.body}`;
}

let dateSecond = -1;
let dateText = '';

function dateNow(): string {
  const second = Math.floor(Date.now() / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    dateText = new Date(second * 1000).toUTCString();
  }
  return dateText;
}
