(module
  (import "teacher-assist:plugin/model@0.2.0" "ask" (func $ask (param i32 i32 i32 i32 i32 i32)))
  (memory (export "memory") 240)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 65536))
  (func (export "teacher-assist:plugin/pre-loop@0.2.0#run") (param i32) (result i32)
    (call $ask (i32.const 1024) (i32.const 5) (i32.const 1024) (i32.const 15000000) (i32.const 64) (i32.const 2048))
    (i32.const 4096)))
