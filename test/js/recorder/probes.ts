// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the snippets are code as text
/**
 * Snippets where a careless recorder shows: each writes what it sees with `out`. `sloppyOnly` ones do not compile as
 * strict code.
 */
export type Probe = { readonly name: string; readonly code: string; readonly sloppyOnly?: boolean };

const probe = (name: string, code: string): Probe => ({ name, code });

export const probes: readonly Probe[] = [
  probe(
    "evaluation order of a call",
    "const l=[];const f=(x)=>(l.push(x),x);const o={m(a,b){return l.join()+a+b}};out(o[f('m')](f(1),f(2)),l)",
  ),
  probe(
    "evaluation order of a store",
    "const l=[];const f=(x)=>(l.push(x),x);const o={};f(o)[f('k')]=f(3);out(o.k,l.length)",
  ),
  probe(
    "store to null evaluates the value first",
    "let l=[];try{null[l.push('k')]=l.push('v')}catch(e){out(e.message,l)}",
  ),
  probe(
    "read of undefined names the key",
    "let u;try{u['x'+1]}catch(e){out(e.message)}try{u.y}catch(e){out(e.message)}",
  ),
  probe(
    "call of a missing method",
    "const o={};try{o.f.g()}catch(e){out(e.message)}try{o.f()}catch(e){out(e.message)}",
  ),
  probe(
    "frozen objects",
    "const o=Object.freeze({a:1});const a=Object.freeze([1]);try{o.a=2}catch(e){out(e.name)}try{a[0]=2}catch(e){out(e.name)}out(o.a,a[0])",
  ),
  probe("this of a plain call", "function f(){return typeof this}out(f(),f.call(3),f.call(null))"),
  probe(
    "this of a method taken off",
    "const o={x:1,m(){return this===undefined?'u':this.x}};const m=o.m;let r;try{r=m()}catch(e){r=e.name}out(r,o.m(),(0,o.m)===m)",
  ),
  probe(
    "arguments",
    "function f(a){arguments.length;return [arguments.length,arguments[1],typeof arguments]}out(f(1,2,3))",
  ),
  probe("arguments and parameters", "function f(a){a=9;return arguments[0]}out(f(1))"),
  probe("default parameters see earlier ones", "function f(a,b=a+1,c=()=>a+b){return [a,b,c()]}out(f(1),f(1,5))"),
  probe(
    "length and name of functions",
    "function f(a,b=1,c){}const g=(x)=>x;const h=function(){};const o={k(){},get z(){return 1}};class C{static s(){}}out(f.length,g.name,h.name,o.k.name,C.s.name,C.name,(()=>{}).name)",
  ),
  probe("logical assignment names functions", "let f;f??=function(){};let g=null;g||=()=>{};out(f.name,g.name)"),
  probe(
    "patterns with defaults",
    "const {a=1,b:{c=[2]}={},...r}={z:3,y:4};const [p,,q=5,...s]=[1,2,undefined,7,8];out(a,c,r,p,q,s)",
  ),
  probe("swap", "let a=1,b=2;[a,b]=[b,a];const o={x:1};[o.x,o.y]=[5,6];out(a,b,o);({a,b=7}={a:0});out(a,b)"),
  probe("pattern assignment as a value", "let x;const r=([x]=[4]);out(x,r)"),
  probe(
    "patterns in loop heads",
    "for(let [i,j]=[0,3];i<j;i++)out(i,j);for(const {v} of [{v:1},{v:2}])out(v);for(const k in {p:1,q:2})out(k)",
  ),
  probe(
    "loops without braces",
    "let s=0;for(const x of [1,2,3])s+=x;for(const k in {a:1})s+=k;for(let i=0;i<2;i++)s+=i;while(s.length>9)s=s.slice(1);out(s)",
  ),
  probe("closures in loops", "const f=[];for(let i=0;i<3;i++)f.push(()=>i++);out(f.map(g=>g()),f.map(g=>g()))"),
  probe(
    "labels",
    "o:for(let i=0;i<3;i++){for(;;){if(i==1)continue o;if(i==2)break o;out(i);break}}b:{if(true)break b;out('no')}",
  ),
  probe(
    "switch",
    "const f=(x)=>{switch(x){case 1:case 2:return 'a';default:out('d');case 'z':return 'z';case NaN:return 'n'}};out(f(1),f(2),f('z'),f(NaN))",
  ),
  probe(
    "switch evaluates until it matches",
    "const l=[];const t=(x)=>(l.push(x),x);switch(t(2)){case t(1):break;case t(2):case t(3):}out(l)",
  ),
  probe(
    "optional chains",
    "const n=null;const o={a:{b(){return this.c},c:3}};let k=0;out(n?.a.b.c,n?.[k++],o?.a?.b(),o.x?.(k++),o.a.b?.(),k,n?.a(k++).b)",
  ),
  probe("optional call keeps its receiver", "const o={v:1,m(){return this.v}};out(o.m?.(),o['m']?.(),(o?.m)())"),
  probe("delete of chains", "const o={a:{b:1}};out(delete o?.a.b,delete o.zz,delete o['a'],o)"),
  probe("typeof of what is not there", "out(typeof nothing,typeof undefined,typeof null,typeof out)"),
  probe(
    "dead zones",
    "try{x;let x=1}catch(e){out(e.name)}try{f();const y=1;function f(){return y}}catch(e){out(e.name)}",
  ),
  probe(
    "comma and void",
    "let a=0;const b=(a++,a++,a);if((a++,false))out('no');out(b,a,void 0);const o={x:1};out(o[(1,'x')])",
  ),
  probe(
    "keywords beside brackets",
    "const f=(x)=>{if(x)return[x];else return{x}};function*g(){yield[1]}out(f(1),f(0),...g(),typeof[1],void[2],1 in[1,2])",
  ),
  probe(
    "arrow bodies",
    "const a=()=>({}),b=x=>(x,2),c=()=>[],d=x=>\n x+1,e=()=>() => 7,g=(x /* => */)=>/*=>*/ x;out(a(),b(1),c(),d(1),e()(),g(4))",
  ),
  probe("automatic semicolons", "let a=1\nlet b=a\n;[1].forEach(x=>out(x))\nconst c=b\n++a\nout(a,c)"),
  probe(
    "directives in functions",
    "function f(){'use strict';return this===undefined}function g(){'a';'use strict'\nreturn this===undefined}out(f(),g())",
  ),
  probe(
    "new",
    "class A{constructor(x){this.x=x}}const ns={A,B:class extends A{}};out(new A(1).x,new ns.A(2).x,new ns.B(3).x,new (class{y=1})().y,new (function(){this.q=1})().q,new Date(0).getTime())",
  ),
  probe(
    "new.target",
    "function F(){return new.target===undefined}class A{constructor(){this.t=new.target.name}}class B extends A{}out(F(),new A().t,new B().t)",
  ),
  probe(
    "constructors that return objects",
    "class A{constructor(){return {z:1}}}class B extends A{constructor(){super();this.y=2}}out(new A(),new B())",
  ),
  probe(
    "derived constructors",
    "class A{constructor(v){this.v=v}}class B extends A{w=5;constructor(){const x=1;super(x);this.u=this.v+this.w}}out(new B());class C extends A{constructor(){if(0)super()}}try{new C()}catch(e){out(e.name)}",
  ),
  probe(
    "arrows before super",
    "class A{constructor(f){this.f=f}}class B extends A{constructor(){super(()=>this)}}const b=new B();out(b.f()===b)",
  ),
  probe(
    "super",
    "class A{m(){return 'A'+this.n}get g(){return 1}static s(){return 'S'}}class B extends A{n=2;m(){return super.m()+super.g+super['m']()}static s(){return super.s()+1}}out(new B().m(),B.s());const o={__proto__:{t(){return 't'}},t(){return super.t()+'!'}};out(o.t())",
  ),
  probe(
    "private fields",
    "class A{#x=1;static #c=0;#m(){return this.#x++}get #g(){return this.#x}set #g(v){this.#x=v}static make(){A.#c++;return new A()}has(o){return #x in o}run(){this.#m();this.#g=this.#g+1;this.#x+=2;return [this.#x,A.#c]}}out(A.make().run(),new A().has(new A()),new A().has({}))",
  ),
  probe(
    "private methods on another object",
    "class A{#x=1;get(){return this.#x}}try{A.prototype.get.call({})}catch(e){out(e.name)}try{A.prototype.get.call(3)}catch(e){out(e.name)}",
  ),
  probe(
    "fields, accessors and static blocks",
    "class A{a=1;b=this.a+1;['c'+1]=3;static d=4;static{this.e=5}get f(){return 6}set f(v){this.g=v}h=()=>this.a}const x=new A();x.f=7;out(x,A.d,A.e,x.f,x.h())",
  ),
  probe(
    "getters and setters run once",
    "let n=0;const o={get x(){n++;return {y:1}},set x(v){n+=10}};o.x.y;o.x=1;o['x'];o.x+=1;out(n)",
  ),
  probe(
    "update expressions",
    "const o={n:1,s:'5',b:1n};const a=[1];out(o.n++,++o.n,o.s++,o.s,o.b++,o.b,a[0]++,--a[0],a[0]+=5,a.length)",
  ),
  probe(
    "compound assignment",
    "const o={a:null,b:0,c:1};let f=0;o.a??=(f++,1);o.b||=(f++,2);o.c&&=(f++,3);o.a??=(f++,9);out(o,f);let x=5;x**=2;x>>>=1;out(x)",
  ),
  probe(
    "exceptions and finally",
    "function f(x){try{if(x)throw new TypeError('t');return 'r'}catch(e){return e.message}finally{out('f');if(x===2)return 'o'}}out(f(0),f(1),f(2))",
  ),
  probe(
    "catch without a name, with a pattern",
    "try{throw 1}catch{out('c')}try{throw {a:1,b:[2]}}catch({a,b:[c]}){out(a,c)}",
  ),
  probe(
    "errors keep their identity",
    "const e=new Error('x');e.extra=1;function f(){throw e}let s;try{f()}catch(x){s=x}out(s===e,s.extra,s.message)",
  ),
  probe("a catch parameter shadows", "let e=1;try{throw 2}catch(e){e=3;out(e)}out(e)"),
  probe(
    "generators",
    "function*g(){try{const x=yield 1;out('x',x);yield* [5];}finally{out('fin')}}const i=g();out(i.next(),i.next(7),i.return(9),i.next());function*h(){let s=0;for(;;){const v=yield s;if(v===undefined)return 'e';s+=v}}const j=h();out(j.next(),j.next(2),j.next(3),j.next())",
  ),
  probe(
    "generators that wait in several frames",
    "function*a(n){for(let i=0;i<n;i++)yield i}const x=a(3),y=a(2);out(x.next().value,y.next().value,x.next().value,[...y],[...x])",
  ),
  probe(
    "generators that are thrown into",
    "function*g(){try{yield 1}catch(e){yield e+1}finally{out('f')}}const i=g();i.next();out(i.throw(5),i.next())",
  ),
  probe(
    "iterators",
    "const it={*[Symbol.iterator](){yield 1;yield 2}};const o={i:0,next(){return {done:this.i>1,value:this.i++}},return(){out('closed');return {}},[Symbol.iterator](){return this}};for(const x of o){if(x)break}out([...it],Math.max(...it))",
  ),
  probe(
    "tagged templates",
    "const t=(s,...v)=>s.raw.join('|')+v+s.length;const f=(s)=>s;const same=()=>f`a`;out(t`a${1}b\\n${2}`,same()===same(),`x${1+1}${[1,2]}`)",
  ),
  probe(
    "symbols, bigints, -0",
    "const s=Symbol('q');const o={[s]:1};out(o[s],2n**70n,Object.is(-0,[-0][0]),0n?1:2,typeof s,Object.is([NaN][0],NaN))",
  ),
  probe(
    "conversion order",
    "const l=[];const v=(n)=>({valueOf(){l.push(n);return n},toString(){l.push('s'+n);return 's'}});v(1)+v(2);v(3)<v(4);`${v(5)}`;({})[v(6)];out(l)",
  ),
  probe(
    "proxies",
    "const l=[];const p=new Proxy({a:1},{get(t,k){l.push('g'+String(k));return t[k]},has(t,k){l.push('h');return true},set(t,k,v){l.push('s');t[k]=v;return true},getPrototypeOf(){l.push('p');return null},getOwnPropertyDescriptor(){l.push('d')}});p.a;p['a'];p.b=1;'z' in p;const f=()=>p;f();out(l)",
  ),
  probe(
    "errors with getters",
    "const l=[];class E extends Error{get message(){l.push('m');return 'x'}get name(){l.push('n');return 'E'}}try{throw new E()}catch(e){}out(l)",
  ),
  probe(
    "object literals",
    "const x=1,y=2;const o={x,y,'k-k':3,[`c${x}`]:4,get z(){return 5},m(){return this.x},async a(){},*g(){},__proto__:{inherited:6},...{s:7}};out(o,o.inherited,o.m(),o.z)",
  ),
  probe(
    "array holes and spreads",
    "const a=[1,,3,...[4,5],...'ab'];out(a.length,1 in a,a.indexOf(undefined));const f=(...r)=>r.length;out(f(...a,...[]))",
  ),
  probe(
    "nested functions and hoisting",
    "out(f(),typeof g,typeof h);function f(){return g2();function g2(){return 'h'}}var g=1;{function h(){}}if(true){function k(){return 1}}",
  ),
  probe(
    "a function and a variable of one name",
    "function f(){var a=1;function a(){}return typeof a}function g(a){function a(){}return typeof a}out(f(),g(1))",
  ),
  probe(
    "recursion",
    "const fac=(n)=>n<=1?1:n*fac(n-1);function fib(n){if(n<2)return n;return fib(n-1)+fib(n-2)}out(fac(10),fib(12))",
  ),
  probe(
    "stack overflow is caught",
    "function f(){return f()+1}let r;try{f()}catch(e){r=e instanceof RangeError}out(r);const g=(x)=>x+1;out(g(1))",
  ),
  probe(
    "async",
    "const l=[];const w=(x)=>new Promise(r=>setTimeout(()=>r(x),1));async function f(x){l.push('a'+x);const y=await w(x);l.push('b'+y);try{await Promise.reject(new Error('q'+x))}catch(e){l.push(e.message)}finally{l.push('f'+x)}return y}return Promise.all([f(1),f(2),(async x=>await w(x)+1)(3)]).then(r=>out(r,l.sort()))",
  ),
  probe(
    "async errors",
    "async function f(){await null;throw new TypeError('t')}async function g(){try{return await f()}catch(e){return e.name}}return Promise.all([g(),f().catch(e=>e.message)]).then(r=>out(r))",
  ),
  probe(
    "async iteration",
    "async function*g(){yield 1;yield 2}async function f(){let s=0;for await(const x of g())s+=x;return s}return f().then(x=>out(x))",
  ),
  probe(
    "order of microtasks",
    "const l=[];async function f(n){l.push(n+'0');await null;l.push(n+'1');await null;l.push(n+'2')}const p=Promise.all([f('a'),f('b')]);l.push('s');return p.then(()=>out(l))",
  ),
  probe(
    "callbacks of natives",
    "out([3,1,2].sort((a,b)=>a-b),[1,2].map(String),'a-b'.replace(/-/g,(m)=>m+m),JSON.stringify({a:1},(k,v)=>v),[1,2,3].reduce((a,b)=>a+b))",
  ),
  probe(
    "regular expressions",
    "const f=()=>/a/g;out(f()===f(),/(?<y>\\d+)/.exec('a12').groups.y,'aXbX'.split(/X/),/[/]=>/.test('/=>'))",
  ),
  probe(
    "weak references",
    "const m=new WeakMap();const k={};m.set(k,1);out(m.get(k),m.has({}),new WeakSet([k]).has(k))",
  ),
  probe(
    "shadowed globals",
    "const undefined2=undefined;const f=(Array,Map)=>Array+Map;out(f(1,2),undefined2);{let Object=5;out(Object)}",
  ),
  probe(
    "classes as values",
    "const C=class{};const D=class N{static n=N.name};const o={E:class{}};out(C.name,D.name,D.n,o.E.name,typeof class{})",
  ),
  probe(
    "getters on the prototype of a class",
    "class A{constructor(){this._v=1}get v(){return this._v}set v(x){this._v=x*2}}const a=new A();a.v=4;a.v++;out(a.v,Object.keys(a))",
  ),
  probe(
    "in and instanceof",
    "class A{static[Symbol.hasInstance](x){return x===1}}out(1 in [1],'a' in {a:1},1 instanceof A,[] instanceof Array)",
  ),
  probe(
    "comments everywhere",
    "const o=/*a*/{x:/*b*/1}/*c*/;out(o/*d*/./*e*/x/*f*/,o/*[*/[/*]*/'x'/*]*/]);const f=/*=>*/(a)/*(*/=>/*)*/(/*(*/a/*)*/);out(f(1))",
  ),
  {
    name: "with",
    code: "const o={x:1};with(o){x=2;out(x)}out(o.x);function f(){with({y:3})return y}out(f())",
    sloppyOnly: true,
  },
  probe(
    "direct and indirect eval",
    "var x=1;function f(){var x=2;return [eval('x'),(0,eval)('typeof x')]}out(f());const g=()=>eval('1+1');out(g())",
  ),
  {
    name: "sloppy names",
    code: "var let_=1;var yield_=2;function f(a,a){return a}out(f(1,2),let_+yield_);undeclared=3;out(undeclared);delete globalThis.undeclared;out(010)",
    sloppyOnly: true,
  },
  {
    name: "octal and callee",
    code: "function f(){return f.caller===null||typeof f.caller}function g(){return arguments.callee===g}out(g())",
    sloppyOnly: true,
  },
  {
    name: "functions in blocks",
    code: "{function f(){return 1}}out(f());if(true){function g(){return 2}}out(g());switch(1){case 1:function h(){return 3}}out(h())",
    sloppyOnly: true,
  },
];
