// NestJS with Postern’s guard before the sign-up’s handler. One command: npm run example nestjs
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { PageController } from './page-controller.js';
import { SignUpController } from './sign-up.controller.js';

@Module({ controllers: [PageController, SignUpController] })
class App {}

const app = await NestFactory.create(App, { logger: ['error', 'warn'] });
await app.listen(Number(process.env.PORT ?? 3000), 'localhost');
